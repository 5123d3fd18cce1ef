import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A program that runs on its own core, with its CPU time from `/proc`. Linux only. */
export interface PinnedProcess {
  /** The program's process id. */
  id: number;
  /** Returns the first line of the program's standard output. @throws Error if the program ends without a line. */
  line(): Promise<string>;
  /** Returns the program's user and system time since its start, to 10 ms. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** The folders of the PATH, and folders in which Debian installs servers. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Returns the path of a program; null if the program is not installed. */
export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => path.join(folder, name)).find(isExecutable) ?? null;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program. @param core number of the core, from 0. If `taskset` is missing, the system chooses the core. */
export function startPinned(
  core: number,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): PinnedProcess {
  const taskset = findProgram('taskset');
  const [file, ...rest] = taskset ? [taskset, '-c', String(core), program, ...args] : [program, ...args];
  const child = spawn(file ?? program, rest, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors = `${errors}${data}`.slice(-4000);
  });
  const lines = createInterface({ input: child.stdout as Readable });
  const exited = once(child, 'close');
  return {
    id: child.pid ?? 0,
    async line() {
      for await (const line of lines) return line;
      throw new Error(`${program} ended with ${child.exitCode}: ${errors.trim()}`);
    },
    cpuMs: () => cpuMsOf([child.pid ?? 0]),
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(late);
    },
  };
}

/** Returns the user and system time of some processes since their start, to 10 ms. */
export function cpuMsOf(processIds: readonly number[]): number {
  return processIds.reduce((sum, id) => {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // Fields 14 and 15 of `/proc/<pid>/stat` contain the times, in ticks of 10 ms. This skips the name in parentheses, which may contain
    // spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
