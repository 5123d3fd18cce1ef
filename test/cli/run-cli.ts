import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { inject } from 'vitest';
import { runCommandLine } from '../../cli/main.ts';
import type { World } from '../../cli/settings/world.ts';
import { TEST_KEY } from './resources.ts';

/** The result of a command line that ran in this process, without a config, an emulator or a terminal. */
export interface CliRun {
  exit: number;
  stdout: string;
  stderr: string;
  /** How long the command would have slept, in milliseconds. The test does not wait. */
  sleptMs: number;
}

export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** Width of a terminal on stdout. Without it, stdout is a pipe. */
  columns?: number;
}

/** Creates a folder that contains nothing of the user's. It is deleted after all tests. */
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

/** Returns an environment with a test key for a server. */
export function keyFor(url: string, key = TEST_KEY): Record<string, string> {
  return { NAMEPLATE_API_KEY: key, NAMEPLATE_BASE_URL: url };
}
