import type { Readable } from 'node:stream';

/** The parts of the process that a command uses. Tests pass their own. */
export interface World {
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Readable & { isTTY?: boolean; isRaw?: boolean; setRawMode?: (raw: boolean) => unknown };
  stdout: TextStream;
  stderr: TextStream;
  /** Returns the milliseconds of a monotonic clock. */
  elapsedMs(): number;
  sleep(waitMs: number): Promise<void>;
  /** Calls the listener on the first Ctrl-C. Returns a function that removes the listener. */
  onInterrupt(listener: () => void): () => void;
  /** Suspends the shell job of this process, as Ctrl-Z normally does on a terminal. Returns when the job resumes. */
  stopJob(): void;
  exit(code: number): void;
}

export interface TextStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

export function systemWorld(): World {
  return {
    env: process.env,
    cwd: process.cwd(),
    // A getter, because opening stdin takes time and most commands never read stdin.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    elapsedMs: () => performance.now(),
    sleep: (waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs)),
    onInterrupt(listener) {
      process.once('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    stopJob() {
      // Stops the whole process group, because a launcher such as npx may be waiting for this process. The system ignores the signal for an
      // orphaned group.
      if (process.platform !== 'win32') process.kill(0, 'SIGTSTP');
    },
    exit: (code) => process.exit(code),
  };
}

/** The signals that ask a process to end. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/**
 * Calls the listener for every signal that asks this process to end. The signal then does not end the process. `off` restores the default.
 */
export function onStopSignals(listener: (signal: NodeJS.Signals) => void): { off: () => void } {
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return {
    off() {
      for (const signal of STOP_SIGNALS) process.off(signal, listener);
    },
  };
}
