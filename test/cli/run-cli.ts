import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { runCommandLine } from '../../cli/main.ts';
import type { World } from '../../cli/settings/world.ts';
import { TEST_KEY } from './resources.ts';

/** Runs a command line in this process, in a world of its own: no config, no emulator, no terminal. */
export interface CliRun {
  exit: number;
  stdout: string;
  stderr: string;
  /** Milliseconds that the command slept; the test did not. */
  sleptMs: number;
}

export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** Width of a terminal on stdout; without it stdout is a pipe. */
  columns?: number;
}

const root = mkdtempSync(path.join(tmpdir(), 'nameplate-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder that holds nothing of the user's, gone after the test file. */
export function emptyFolder(): string {
  return mkdtempSync(path.join(root, 'home-'));
}

/** @param start what runs it: the command line without the operator's commands by default. */
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

/** The environment of a test key at a server. */
export function keyFor(url: string, key = TEST_KEY): Record<string, string> {
  return { NAMEPLATE_API_KEY: key, NAMEPLATE_BASE_URL: url };
}
