import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BinProcess, emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';

export type Fault = 'none' | 'reset' | 'bug' | 'rejection' | 'no_start' | 'hold';

/** A node started with `nameplate service start`. A test can make the processes of the node fail. */
export interface NodeUnderFaults extends AsyncDisposable {
  bin: BinProcess;
  adminUrl: string;
  /** The URL of the API; empty if the node lacks the role `api`. */
  apiUrl: string;
  /** The port of the edge; 0 if the node lacks the role `edge`. */
  edgePort: number;
  /** Returns the processes that `/readyz` lists. */
  processes(): Promise<ShownProcess[]>;
  /** Returns the process that `/readyz` lists under a name. */
  shown(name: string): Promise<ShownProcess>;
  /** Freezes a process until the result is disposed. Meanwhile, the process accepts no connections. */
  freeze(name: string): Promise<Disposable>;
  /** Returns the lines of the node's metrics. */
  metrics(): Promise<string[]>;
  /** Causes a fault in a process. The faults `no_start` and `hold` affect every process that starts afterwards. */
  fail(fault: Fault, pid?: number): void;
  /** Returns the log lines with a matching message, from all processes of the node. */
  logged(message: RegExp): string[];
}

export interface ShownProcess {
  name: string;
  pid: number;
  state: string;
  restarts: number;
}

const PRELOAD = pathToFileURL(path.resolve(import.meta.dirname, '../../fixtures/fault-on-signal.mjs')).href;

/** Starts a node and waits until it has started. */
export async function startNodeUnderFaults(env: Record<string, string>): Promise<NodeUnderFaults> {
  const node = launchNode(env);
  await node.bin.untilStdout(/\n\}\n$/);
  const { admin_url, api_url, edge_url, error } = JSON.parse(node.bin.stdout());
  if (error !== undefined) throw new Error(`the node did not start: ${node.bin.stderr()}${error.message}`);
  const edgePort = edge_url === null ? 0 : Number(new URL(edge_url).port);
  return Object.assign(node, { adminUrl: admin_url, apiUrl: api_url ?? '', edgePort });
}

/** Starts a node whose addresses are in its environment. Does not wait until the node is ready. */
export function launchNode(env: Record<string, string>, fault: Fault = 'none'): NodeUnderFaults {
  const faultFile = path.join(emptyFolder(), 'fault');
  writeFileSync(faultFile, fault);
  const bin = startBin(['service', 'start', '--json'], {
    ...emptyHome(),
    NAMEPLATE_EDGE_REPLICA: path.join(emptyFolder(), 'edge'),
    ...env,
    NODE_OPTIONS: `--import=${PRELOAD}`,
    FAULT_FILE: faultFile,
  });
  const node: NodeUnderFaults = {
    bin,
    adminUrl: `http://${env['NAMEPLATE_ADMIN_LISTEN']}`,
    apiUrl: `http://${env['NAMEPLATE_API_LISTEN']}`,
    edgePort: Number(env['NAMEPLATE_EDGE_LISTEN']?.split(':')[1]),
    processes: async () =>
      ((await (await fetch(`${node.adminUrl}/readyz`)).json()) as { processes: ShownProcess[] }).processes,
    async shown(name) {
      const found = (await node.processes()).find((each) => each.name === name);
      if (found === undefined) throw new Error(`there is no process ${name}`);
      return found;
    },
    async freeze(name) {
      const { pid } = await node.shown(name);
      process.kill(pid, 'SIGSTOP');
      while ((await node.shown(name)).state === 'ready');
      return { [Symbol.dispose]: () => void process.kill(pid, 'SIGCONT') };
    },
    metrics: async () => (await (await fetch(`${node.adminUrl}/metrics`)).text()).split('\n'),
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
  return node;
}
