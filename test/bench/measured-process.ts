import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A Node process whose CPU time can be read. */
export interface MeasuredProcess {
  /** Returns the JSON document that the process prints once it is ready. @throws Error if the process ends without a document. */
  document(): Promise<unknown>;
  /** Returns the process's user and system time since its start. */
  cpuMs(): Promise<number>;
  /** Waits for the end of the process. Returns its total CPU time. @throws Error if the process failed. */
  ended(): Promise<{ cpu_ms: number }>;
  stop(): Promise<void>;
}

export const root = path.resolve(import.meta.dirname, '../..');
export const CLI = path.join(root, 'bin/nameplate.js');

const USAGE = path.join(import.meta.dirname, 'usage-on-demand.cjs');

/** The home folder of all measured processes, so that they neither read nor change the user's own emulator, key or cache. */
const home = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const env: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: home,
  XDG_CACHE_HOME: path.join(home, 'cache'),
  XDG_CONFIG_HOME: path.join(home, 'config'),
  XDG_STATE_HOME: path.join(home, 'state'),
};

/** Starts `node` with these arguments. @param extra environment variables added to a minimal environment. */
export function startProcess(args: readonly string[], extra: NodeJS.ProcessEnv = {}): MeasuredProcess {
  const child = spawn(process.execPath, ['--require', USAGE, ...args], {
    cwd: home,
    env: { ...env, ...extra },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const usage = createInterface({ input: child.stdio[3] as Readable });
  const output = createInterface({ input: child.stdout as Readable });
  const exited = once(child, 'close');
  let errors = '';
  let usedUs = 0;
  child.stderr?.on('data', (data) => (errors += data));
  usage.on('line', (line) => {
    usedUs = Number(line);
  });

  const failure = () => new Error(`node ${args.join(' ')} ended with ${child.exitCode}: ${errors.trim()}`);
  return {
    async document() {
      let text = '';
      for await (const line of output) {
        text += line;
        // The JSON may be on one line or indented. In indented JSON, only the last brace starts a line.
        if (line.startsWith('}') || (text === line && line.endsWith('}'))) return JSON.parse(text);
      }
      throw failure();
    },
    async cpuMs() {
      const told = once(usage, 'line');
      child.kill('SIGUSR2');
      await Promise.race([told, exited]);
      return usedUs / 1000;
    },
    async ended() {
      await exited;
      if (child.exitCode !== 0) throw failure();
      return { cpu_ms: usedUs / 1000 };
    },
    stop: () => stop(child, exited),
  };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(late);
}
