import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BinProcess, emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';

export type Fault = 'none' | 'reset' | 'bug' | 'rejection' | 'no_start';

/** `nameplate service start` as a program. A test can make its processes fail. */
export interface NodeUnderFaults extends AsyncDisposable {
  bin: BinProcess;
  adminUrl: string;
  /** Address of the API. Empty without the role. */
  apiUrl: string;
  /** Port of the edge. 0 without the role. */
  edgePort: number;
  /** Returns the processes that `/readyz` lists. */
  processes(): Promise<ShownProcess[]>;
  /** Returns lines of its metrics. */
  metrics(): Promise<string[]>;
  /** Causes a fault in a process. `no_start` affects every process that starts from now on. */
  fail(fault: Fault, pid?: number): void;
  /** Returns the log lines of all its processes with this message. */
  logged(message: RegExp): string[];
}

export interface ShownProcess {
  name: string;
  pid: number;
  state: string;
  restarts: number;
}

const PRELOAD = pathToFileURL(path.resolve(import.meta.dirname, '../../fixtures/fault-on-signal.mjs')).href;

export async function startNodeUnderFaults(env: Record<string, string>): Promise<NodeUnderFaults> {
  const faultFile = path.join(emptyFolder(), 'fault');
  writeFileSync(faultFile, 'none');
  const bin = startBin(['service', 'start', '--json'], {
    ...emptyHome(),
    ...env,
    NODE_OPTIONS: `--import=${PRELOAD}`,
    FAULT_FILE: faultFile,
  });
  await bin.untilStdout(/\n\}\n$/);
  const { admin_url, api_url, edge_url, error } = JSON.parse(bin.stdout());
  if (error !== undefined) throw new Error(`the node did not start: ${bin.stderr()}${error.message}`);
  return {
    bin,
    adminUrl: admin_url,
    apiUrl: api_url ?? '',
    edgePort: edge_url === null ? 0 : Number(new URL(edge_url).port),
    processes: async () =>
      ((await (await fetch(`${admin_url}/readyz`)).json()) as { processes: ShownProcess[] }).processes,
    metrics: async () => (await (await fetch(`${admin_url}/metrics`)).text()).split('\n'),
    fail(fault, pid) {
      writeFileSync(faultFile, fault);
      if (pid !== undefined) process.kill(pid, 'SIGUSR2');
    },
    logged: (message) =>
      bin
        .stderr()
        .split('\n')
        .filter((line) => message.test(line)),
    [Symbol.asyncDispose]: () => bin[Symbol.asyncDispose](),
  };
}
