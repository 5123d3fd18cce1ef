/** Milliseconds since the Unix epoch. The API shows an instant as RFC 3339 in UTC, see `timestamp`. */
export type Instant = number;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Formats an instant as RFC 3339 in UTC with milliseconds, the form of every timestamp in the API (`docs/api.md#the-service`). */
export function timestamp(instant: Instant): string;
export function timestamp(instant: Instant | null): string | null;
export function timestamp(instant: Instant | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

/** Parses `72h`, `90d`, `10s`, `250ms`, or a combination such as `1h30m`, to milliseconds. Returns null for any other text. */
export function readDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:ms|s|m|h|d))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0);
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
