import { inspect } from 'node:util';
import type { Log } from '../shared/ports/log.ts';

/** Warnings and errors as lines on standard error; the rest is nothing that a developer waits for. */
export const stderrLog: Log = {
  info: () => undefined,
  warn: (fields, message) => print('warning', fields, message),
  error: (fields, message) => print('error', fields, message),
};

function print(level: string, fields: Record<string, unknown>, message: string): void {
  process.stderr.write(
    `${level}: ${message} ${inspect(fields, { breakLength: Number.POSITIVE_INFINITY, depth: 4 })}\n`,
  );
}
