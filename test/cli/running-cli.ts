import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { runCommandLine } from '../../cli/main.ts';
import type { World } from '../../cli/settings/world.ts';
import { emptyFolder } from './run-cli.ts';

/** A command that runs in this process until the test ends it. The test presses keys and waits for output. */
export interface RunningCli extends AsyncDisposable {
  stdout(): string;
  stderr(): string;
  /** Resolves when the output matches the pattern. @throws Error if the command ends before the output matches. */
  untilPrinted(pattern: RegExp): Promise<RegExpMatchArray>;
  press(key: string): void;
  interrupt(): void;
  ended: Promise<number>;
}

/** @param options.keys true for a terminal on stdin. @param options.columns the width of a terminal on stdout and stderr. */
export function startCli(
  argv: string[],
  options: { env: Record<string, string>; cwd?: string; keys?: boolean; columns?: number },
): RunningCli {
  const home = emptyFolder();
  const printed = new EventEmitter();
  const text = { stdout: '', stderr: '' };
  const stdin = Object.assign(new Readable({ read: () => undefined }), {
    ...(options.keys && { isTTY: true }),
    setRawMode: () => undefined,
  });
  const stream = (name: 'stdout' | 'stderr') => ({
    write(chunk: string) {
      text[name] += chunk;
      printed.emit('text');
    },
    // Ink calls `on` and `off`, because it listens for `resize` on the terminal.
    on: () => undefined,
    off: () => undefined,
    ...(options.columns !== undefined && { isTTY: true, columns: options.columns, rows: 24 }),
  });
  const exited = Promise.withResolvers<number>();
  let interrupt: () => void = () => undefined;
  const world: World = {
    env: {
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      NAMEPLATE_STATE_DIR: home,
      ...options.env,
    },
    cwd: options.cwd ?? home,
    stdin,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    elapsedMs: () => performance.now(),
    sleep: (waitMs) => new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 20))),
    onInterrupt(listener) {
      interrupt = listener;
      return () => undefined;
    },
    stopJob: () => undefined,
    exit: exited.resolve,
  };
  const ended = Promise.race([runCommandLine(argv, world), exited.promise]);
  return {
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    press: (key) => void stdin.push(key),
    interrupt: () => interrupt(),
    ended,
    async untilPrinted(pattern) {
      for (;;) {
        const match = (text.stdout + text.stderr).match(pattern);
        if (match) return match;
        const end = await Promise.race([once(printed, 'text').then(() => null), ended]);
        const all = text.stdout + text.stderr;
        if (end !== null && !pattern.test(all))
          throw new Error(`ended with ${end} before ${pattern}: ${all}`);
      }
    },
    async [Symbol.asyncDispose]() {
      interrupt();
      await ended;
    },
  };
}
