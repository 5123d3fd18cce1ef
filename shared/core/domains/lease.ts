import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** The latest time that RFC 3339 can express. */
const NEVER: Instant = Date.UTC(9999, 11, 31);

/** Returns when a lease that starts now ends. Another worker can then take over the work. A single process needs no end. */
export function leaseEnd(
  { singleProcess }: Pick<Settings, 'singleProcess'>,
  now: Instant,
  leaseMs: number,
): Instant {
  return singleProcess ? NEVER : now + leaseMs;
}
