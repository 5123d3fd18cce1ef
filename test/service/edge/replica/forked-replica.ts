import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isRunning } from '../../../../service/edge/nginx/nginx-process.ts';
import type { Command } from './replica-process.ts';

/** The command for a process with process ids of its own, as in a container. */
export const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;

/** Starts a process with the replica of a folder. @param container the command that runs the process; none by default. */
export async function processWith(folder: string, container: readonly string[] = []) {
  const [execPath, ...options] = [...container, process.execPath];
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'replica-process.ts'), [folder], {
    execPath,
    execArgv: options,
  });
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
