import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { emptyFolder } from './run-cli.ts';

/** The built `nameplate` binary in its own process, with an empty home folder by default. */
export interface BinProcess extends AsyncDisposable {
  child: ChildProcess;
  /** Returns the standard output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when stdout matches the pattern. @throws Error if the process ends before stdout matches. */
  untilStdout(pattern: RegExp): Promise<RegExpMatchArray>;
  /** The exit code of the process, or the name of the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
}

export const BIN = path.resolve(import.meta.dirname, '../../bin/nameplate.js');

/**
 * The compile cache that all processes of a test run share. Without it, each process with an empty home folder would compile everything
 * again.
 */
export const COMPILE_CACHE: Record<string, string> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

/** Returns an environment with an empty home folder, which several processes can share. */
export function emptyHome(): Record<string, string> {
  const home = emptyFolder();
  return { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, NAMEPLATE_STATE_DIR: home };
}

/**
 * @param stdin the text that the process reads from standard input; by default none.
 * @param bin the path of another copy of the binary.
 */
export function startBin(
  argv: string[],
  env: Record<string, string>,
  cwd = emptyFolder(),
  stdin?: string,
  bin = BIN,
): BinProcess {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(stdin);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    async untilStdout(pattern) {
      for (;;) {
        const match = out.match(pattern);
        if (match) return match;
        const next = await Promise.race([once(child.stdout, 'data'), ended.then(() => null)]);
        if (next === null && !pattern.test(out)) throw new Error(`ended before ${pattern}: ${out}${err}`);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs the built binary until it ends. */
export async function runBin(argv: string[], env: Record<string, string>, cwd?: string, stdin?: string) {
  await using bin = startBin(argv, env, cwd, stdin);
  const exit = await bin.ended;
  return { exit, stdout: bin.stdout(), stderr: bin.stderr() };
}
