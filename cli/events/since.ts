import { durationMs } from '../arguments/duration.ts';
import { usageError } from '../runtime/cli-error.ts';

/** Reads `--since`: a time with its zone, a date in UTC, or a duration before now. Returns milliseconds since the epoch. @throws CliError `usage` */
export function instantOf(text: string, now = Date.now()): number {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return now - durationMs(text);
  // JavaScript reads a time without a zone as local time, and everything that we print is in UTC.
  if (text.includes(':') && !/(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text))
    throw usageError(
      `${text} has no time zone.`,
      `Add one: ${text}Z for UTC, or an offset such as ${text}+01:00.`,
    );
  return at;
}
