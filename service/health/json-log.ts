import pino from 'pino';
import type { Log } from '../../shared/ports/system.ts';
import type { LogLevel } from '../settings/environment.ts';

/** The destination of log lines. A program uses standard error, because standard output is for the command's result. */
export interface LogDestination {
  write(line: string): unknown;
}

/** Creates a log of JSON lines. Callers must not log secrets; as a second safeguard, the log removes fields with names such as `key`. */
export function createJsonLog(level: LogLevel, destination: LogDestination): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      redact: {
        paths: ['authorization', 'key', 'secret', 'body', '*.authorization', '*.key', '*.secret', '*.body'],
        remove: true,
      },
    },
    { write: (line) => void destination.write(line) },
  );
}

const CAUSES_MAX = 5;

/**
 * Returns the loggable properties of an error. Other properties are left out, because a database error contains a row, and other errors
 * contain a request.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && { code: String(error.code) }),
    stack,
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: describeError(cause, depth + 1) }),
  };
}
