import { inspect } from 'node:util';
import type { Log } from '../shared/ports/system.ts';

/** A log that writes warnings and errors as lines to standard error, and drops all other messages. */
export const stderrLog: Log = {
  info: () => undefined,
  warn: (fields, message) => print('warning', withoutStacks(fields), message),
  error: (fields, message) => print('error', fields, message),
};

function print(level: string, fields: Record<string, unknown>, message: string): void {
  process.stderr.write(
    `${level}: ${message} ${inspect(fields, { breakLength: Number.POSITIVE_INFINITY, depth: 4 })}\n`,
  );
}

/** Replaces errors by their messages, without stacks. A warning is about another server, so a stack of our code does not help. */
function withoutStacks(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? formatError(value) : value,
    ]),
  );
}

/** Formats an error and its causes in one line. For an `AggregateError` without a message, uses the messages of its errors. */
function formatError(error: Error): string {
  const own = error.message || (error instanceof AggregateError ? error.errors.map(String).join(', ') : '');
  const message = own || ('code' in error ? String(error.code) : error.name);
  return error.cause instanceof Error ? `${message}: ${formatError(error.cause)}` : message;
}
