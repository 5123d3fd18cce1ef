import { fork } from 'node:child_process';
import path from 'node:path';
import { packageFolder } from '../../shared/adapters/package-folder.ts';
import type { ServiceNode } from '../node.ts';
import type { ProcessMessage } from './parent-process.ts';

export interface ForkedProcessEvents {
  listening(addresses: ServiceNode['addresses']): void;
  draining(): void;
  /** Called once, after the process has ended. @param how its signal or exit code, such as "SIGKILL" or "code 1". */
  ended(how: string): void;
}

/** One process of a node: `nameplate service start` with its own environment. It logs to our standard error. */
export interface ForkedProcess {
  pid: number | null;
  /** Sends SIGTERM so that the process drains, and kills it after `graceMs`. Further calls do nothing. */
  stop(graceMs: number): void;
}

const PROGRAM = path.join('bin', 'nameplate.js');

export function forkProcess(env: NodeJS.ProcessEnv, events: ForkedProcessEvents): ForkedProcess {
  const child = fork(path.join(packageFolder(), PROGRAM), ['service', 'start'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let over = false;
  let killing: NodeJS.Timeout | undefined;
  const end = (how: string) => {
    if (over) return;
    over = true;
    clearTimeout(killing);
    events.ended(how);
  };
  child.on('error', (error) => {
    if (child.pid === undefined) end(error.message);
  });
  child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
  child.on('message', (message: ProcessMessage) => {
    if (message.kind === 'listening') events.listening(message.addresses);
    else if (message.kind === 'draining') events.draining();
  });
  return {
    pid: child.pid ?? null,
    stop(graceMs) {
      if (over || killing !== undefined) return;
      child.kill('SIGTERM');
      killing = setTimeout(() => child.kill('SIGKILL'), graceMs);
    },
  };
}
