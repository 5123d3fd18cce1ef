import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { inject } from 'vitest';
import { runCommandLine } from '../../cli/main.ts';
import type { World } from '../../cli/settings/world.ts';
import { TEST_KEY } from './resources.ts';

/** The result of a command that ran in this process, by default without a config, an emulator or a terminal. */
export interface CliRun {
  exit: number;
  stdout: string;
  stderr: string;
  /** The total time for which the command asked to sleep, in milliseconds. The test itself does not wait. */
  sleptMs: number;
}

export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** The width of the terminal on stdout. If left out, stdout is a pipe. */
  columns?: number;
}

/** Creates an empty folder, which is deleted after all tests. */
export function emptyFolder(): string {
  return mkdtempSync(path.join(inject('homes'), 'home-'));
}

/** @param start the program to run. By default, the command line without the operator's commands. */
export async function runCli(
  argv: string[],
  options: CliOptions = {},
  start: (argv: string[], world: World) => Promise<number> = runCommandLine,
): Promise<CliRun> {
  const home = emptyFolder();
  const result: CliRun = { exit: 0, stdout: '', stderr: '', sleptMs: 0 };
  const world: World = {
    env: { HOME: home, XDG_CONFIG_HOME: home, NAMEPLATE_STATE_DIR: home, ...options.env },
    cwd: options.cwd ?? home,
    stdin: Readable.from([options.stdin ?? '']),
    stdout: {
      write: (text) => {
        result.stdout += text;
      },
      ...(options.columns !== undefined && { isTTY: true, columns: options.columns }),
    },
    stderr: {
      write: (text) => {
        result.stderr += text;
      },
    },
    elapsedMs: () => result.sleptMs,
    sleep: async (waitMs) => {
      result.sleptMs += waitMs;
    },
    onInterrupt: () => () => undefined,
    stopJob: () => undefined,
    exit: (code) => {
      throw new Error(`the command exited with ${code}`);
    },
  };
  result.exit = await start(argv, world);
  return result;
}

/** Returns an environment with the URL of a server and a test key. */
export function keyFor(url: string, key = TEST_KEY): Record<string, string> {
  return { NAMEPLATE_API_KEY: key, NAMEPLATE_BASE_URL: url };
}
