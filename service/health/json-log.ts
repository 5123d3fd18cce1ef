import pino from 'pino';
import type { Log } from '../../shared/ports/system.ts';
import type { LogLevel } from '../settings/environment.ts';

/** Destination of log lines: standard error in a program, which keeps standard output for the command's result. */
export interface LogDestination {
  write(line: string): unknown;
}

/** Creates a log of JSON lines. Callers never pass secrets to it; removing these paths is a second safeguard. */
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

/** Copies only named properties, because a database error carries the row, and other errors carry their request. */
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
