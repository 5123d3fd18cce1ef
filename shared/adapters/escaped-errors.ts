import { type ConnectionErrorKind, connectionErrorKind } from '../core/edge/connection-error.ts';
import { createLogLimit } from '../core/text/log-limit.ts';
import type { Log } from '../ports/system.ts';
import { monotonicClock } from './system.ts';

export interface EscapedErrorOptions {
  log: Log;
  /** Called for each error that concerns only one connection. The process continues. */
  onContained?: (kind: ConnectionErrorKind) => void;
  /** Called for every other error. The process must then shut down cleanly. */
  onFatal: (error: unknown) => void;
}

/** Limits the log lines that visitors can cause: one a minute for each error code. */
const LINES = { eachPerMinuteMax: 1, perMinuteMax: 20 };

/**
 * Handles every exception and rejection that no other code of this process handles (`decisions/0019`). Logs errors of a single connection,
 * at most once a minute for each code. Logs all other errors and passes them to `onFatal`. Ignores errors of stdout and stderr, because a
 * log line about such an error would cause the next one.
 * @returns a function that restores Node's default handling, which ends the process.
 */
export function handleEscapedErrors({ log, onContained, onFatal }: EscapedErrorOptions): () => void {
  const limit = createLogLimit(LINES);
  const outputs = [process.stdout, process.stderr];
  const ignored = new WeakSet<Error>();
  // This listener comes first, because the listener of oclif throws the error again.
  const ignore = (error: Error) => void ignored.add(error);
  for (const output of outputs) output.prependListener('error', ignore);
  // Node raises unhandled rejections as uncaught exceptions, so this callback gets them too.
  process.setUncaughtExceptionCaptureCallback((error: Error & { code?: string }) => {
    if (ignored.has(error)) return;
    const kind = connectionErrorKind(error);
    if (kind === null) {
      log.error({ error }, 'unhandled error: this process shuts down; please report this line');
      onFatal(error);
      return;
    }
    onContained?.(kind);
    const line = limit(String(error.code), monotonicClock.now());
    if (line !== null) {
      log.warn(
        { error, of: kind, ...line },
        'unhandled error of one connection: the process continues; please report this line',
      );
    }
  });
  return () => {
    for (const output of outputs) output.off('error', ignore);
    process.setUncaughtExceptionCaptureCallback(null);
  };
}
