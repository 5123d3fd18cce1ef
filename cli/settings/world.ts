import type { Readable } from 'node:stream';

/** What a command touches of its process, so that a test can run it inside its own. */
export interface World {
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: TextStream;
  stderr: TextStream;
  /** Milliseconds of a clock that only goes forward. */
  elapsed_ms(): number;
  sleep(wait_ms: number): Promise<void>;
  /** Calls back on the first Ctrl-C; the answer takes the listener off again. */
  onInterrupt(listener: () => void): () => void;
  /** Stops the job that this process is of, as Ctrl-Z does where the terminal is not read key by key; returns when it goes on. */
  stopJob(): void;
  exit(code: number): void;
}

export interface TextStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export function systemWorld(): World {
  return {
    env: process.env,
    cwd: process.cwd(),
    // Opening stdin takes time, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    elapsed_ms: () => performance.now(),
    sleep: (wait_ms) => new Promise((resolve) => setTimeout(resolve, wait_ms)),
    onInterrupt(listener) {
      process.once('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    stopJob() {
      // All of the group: whoever started us waits for us. Where no shell could let it go on, the system does not stop it.
      if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
    },
    exit: (code) => process.exit(code),
  };
}
