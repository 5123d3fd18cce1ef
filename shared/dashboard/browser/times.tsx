import { type ReactElement, useEffect, useState } from 'react';
import { serverNow, usePageClock } from './page-clock.ts';

const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const TICK_MS = 1000;

/** Returns the server's time, and renders again each second while the server's clock runs. Null until the time is known. */
export function useNow(): number | null {
  const [, tick] = useState(0);
  const runs = usePageClock()?.runs ?? false;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return serverNow();
}

/**
 * Shows an instant in the reader's time zone: only the time if it is today by the server's clock, with the date otherwise. @param at RFC
 * 3339.
 */
export function TimeLabel({ at }: { at: string }): ReactElement {
  const instant = new Date(at);
  const now = serverNow();
  const isToday = now !== null && DATE.format(now) === DATE.format(instant);
  return (
    <time dateTime={at} title={at}>
      {isToday ? TIME.format(instant) : FULL.format(instant)}
    </time>
  );
}

/** Shows an instant like `TimeLabel` does, followed by the time relative to now, such as "2 minutes ago". */
export function SinceText({ at }: { at: string }): ReactElement {
  const now = useNow();
  return (
    <>
      <TimeLabel at={at} />
      {now === null ? null : <span className="muted"> ({relative(Date.parse(at) - now)})</span>}
    </>
  );
}

export function fullTime(atMs: number): string {
  return FULL.format(atMs);
}

/** Formats an instant without its year, for narrow screens. */
export function shortTime(atMs: number): string {
  return SHORT.format(atMs);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

function relative(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds === 0) return 'now';
  // Uses a unit only from a value of two, because "90 minutes" is more precise than "2 hours".
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= 2 * length);
  return unit === undefined
    ? RELATIVE.format(seconds, 'second')
    : RELATIVE.format(Math.round(seconds / unit[1]), unit[0]);
}
