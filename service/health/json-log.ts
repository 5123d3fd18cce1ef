import pino from 'pino';
import type { Log } from '../../shared/ports/log.ts';
import type { LogLevel } from '../settings/environment.ts';

/** Where lines go: standard error in a program, so that standard output is the command's own. */
export interface LogDestination {
  write(line: string): unknown;
}

/** Structured logs, a JSON line each. What could hold a secret is never passed to it; these paths are the second fence. */
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

/** By name: a database's error carries the row that it was about, and others their request. */
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
