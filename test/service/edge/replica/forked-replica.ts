import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isRunning } from '../../../../service/edge/nginx/nginx-process.ts';
import type { Command } from './replica-process.ts';

/** Starts a process with the replica of a folder. */
export async function processWith(folder: string) {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'replica-process.ts'), [folder]);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const answer = async () => {
    const [{ result }] = (await once(child, 'message')) as [{ result: unknown }];
    return result;
  };
  expect(await answer()).toBe('open');
  return {
    signal: (name: NodeJS.Signals) => child.kill(name),
    /** Sends a command and returns its result. A frozen process runs the command once it runs again. */
    ask(command: Command): Promise<unknown> {
      const result = answer();
      child.send(command);
      return result;
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expect.poll(() => isRunning(child.pid ?? 0)).toBe(false);
    },
  };
}
