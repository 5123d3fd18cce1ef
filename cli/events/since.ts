import { readDuration } from '../../shared/core/text/duration.ts';
import { clockAheadMs } from '../emulator/clock-ahead.ts';
import { usageError } from '../runtime/cli-error.ts';
import type { CliSettings } from '../settings/settings.ts';

/** Returns an instant, in milliseconds since the epoch, from the current time by the server's clock. */
export type SinceInstant = (nowMs: number) => number;

/** Reads `--since`: a time with its zone, a date in UTC, or a duration before now. @throws CliError `usage` */
export function readInstant(text: string): SinceInstant {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    const beforeMs = readDuration(text);
    if (beforeMs !== null) return (nowMs) => nowMs - beforeMs;
    throw usageError(
      `"${text}" is neither a duration nor a time.`,
      'Give a duration such as 90s, 1h30m or 2d, a date such as 2026-11-20, or a time such as 2026-11-20T08:00:00Z.',
    );
  }
  // JavaScript reads a time without a zone as local time, and everything that we print is in UTC.
  if (text.includes(':') && !/(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text))
    throw usageError(
      `${text} has no time zone.`,
      `Add one: ${text}Z for UTC, or an offset such as ${text}+01:00.`,
    );
  return () => at;
}

/** Returns the current time by the server's clock, in milliseconds since the epoch. That of an emulator can be moved. */
export async function serverNowMs(settings: CliSettings): Promise<number> {
  return Date.now() + (await clockAheadMs(settings));
}
