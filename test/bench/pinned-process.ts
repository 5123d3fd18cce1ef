import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Any program on one core of its own, whose CPU time the system tells. Linux only. */
export interface PinnedProcess {
  /** The first line of its standard output. @throws Error when it ends without one. */
  line(): Promise<string>;
  /** User and system time since its start, to 10 ms. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Where Debian puts servers, beside the path. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The program's file, or null where it is not installed. */
export function findProgram(name: string): string | null {
  return FOLDERS.map((folder) => path.join(folder, name)).find(isExecutable) ?? null;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param core counted from 0; without `taskset` the program runs where the system puts it. */
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
    async line() {
      for await (const line of lines) return line;
      throw new Error(`${program} ended with ${child.exitCode}: ${errors.trim()}`);
    },
    cpuMs() {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'latin1');
      // After the name in brackets, which may hold anything: fields 14 and 15, in ticks of 10 ms.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(late);
    },
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
