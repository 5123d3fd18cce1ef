import { type ReactElement, useSyncExternalStore } from 'react';
import { serverNow } from './page-clock.ts';
import { createSharedValue, useSharedValue } from './shared-value.ts';

const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const OF_DAY = { day: 'numeric', month: 'short' } as const;
const OF_TIME = { hour: '2-digit', minute: '2-digit' } as const;
const SHORT = format({ ...OF_DAY, ...OF_TIME });
const TIME = format(OF_TIME);
const DATE = format({ ...OF_DAY, year: 'numeric' });
const DATE_TIME = format({ ...OF_DAY, year: 'numeric', ...OF_TIME });
const TICK_MS = 1000;
const DAY_MS = 86_400_000;

/** Counts the seconds that the page is open. */
const seconds = createSharedValue(0);
setInterval(() => seconds.set(seconds.get() + 1), TICK_MS);

/** Returns the server's time, and renders again each second. Null until the time is known. */
export function useNow(): number | null {
  useSharedValue(seconds);
  return serverNow();
}

/** Shows an instant relative to the server's time, such as "12 min ago". Its title is the full time. @param at RFC 3339. */
export function TimeLabel({ at }: { at: string }): ReactElement {
  const words = useSyncExternalStore(seconds.subscribe, () => relativeTime(Date.parse(at), serverNow()));
  return (
    <time dateTime={at} title={fullTime(Date.parse(at))}>
      {words}
    </time>
  );
}

/** Shows an instant in full. @param at RFC 3339. */
export function FullTime({ at }: { at: string }): ReactElement {
  return <time dateTime={at}>{fullTime(Date.parse(at))}</time>;
}

/** Shows an instant in full, followed by the time relative to now. */
export function SinceText({ at }: { at: string }): ReactElement {
  const now = useNow();
  return (
    <>
      <FullTime at={at} />
      {now === null ? null : <span className="muted"> ({relativeTime(Date.parse(at), now)})</span>}
    </>
  );
}

export function fullTime(atMs: number): string {
  return `${FULL.format(atMs)} UTC`;
}

/** Formats an instant without its year and seconds, in UTC. */
export function shortTime(atMs: number): string {
  return SHORT.format(atMs);
}

/**
 * Formats an instant relative to now, such as `8 s ago` or `in 5 h`. An instant more than a day away is a date and a time.
 * @param now null if the server's time is not known yet. The result is then a date.
 */
export function relativeTime(atMs: number, now: number | null): string {
  if (now === null) return DATE.format(atMs);
  const ms = Math.abs(now - atMs);
  if (ms < TICK_MS) return 'now';
  if (ms < DAY_MS) return atMs > now ? `in ${spanText(ms)}` : `${spanText(ms)} ago`;
  if (atMs > now && DATE.format(now + DAY_MS) === DATE.format(atMs)) return `tomorrow, ${TIME.format(atMs)}`;
  return new Date(atMs).getUTCFullYear() === new Date(now).getUTCFullYear()
    ? SHORT.format(atMs)
    : DATE_TIME.format(atMs);
}

/** Formats a duration in its largest unit, such as `5 min`. */
export function spanText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / TICK_MS)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
}
