import { inspect } from 'node:util';
import type { Log } from '../shared/ports/log.ts';

/** Warnings and errors as lines on standard error; the rest is nothing that a developer waits for. */
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

/** What somebody else's server did wrong has no place in our code: where it came up there helps nobody. */
function withoutStacks(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? told(value) : value]),
  );
}

/** An error and its causes in one line: an aggregate of several addresses has its words in its parts. */
function told(error: Error): string {
  const own = error.message || (error instanceof AggregateError ? error.errors.map(String).join(', ') : '');
  const said = own || ('code' in error ? String(error.code) : error.name);
  return error.cause instanceof Error ? `${said}: ${told(error.cause)}` : said;
}
