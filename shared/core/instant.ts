/** Milliseconds since the Unix epoch. The API shows it as RFC 3339 in UTC, see `timestamp`. */
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
