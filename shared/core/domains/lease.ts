import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** The latest time that RFC 3339 can express. */
const NEVER: Instant = Date.UTC(9999, 11, 31);

/**
 * Returns the end of a lease that starts now. After that, another worker can take over the work. If there is only a single process, the
 * lease never ends.
 */
export function leaseEnd(
  { singleProcess }: Pick<Settings, 'singleProcess'>,
  now: Instant,
  leaseMs: number,
): Instant {
  return singleProcess ? NEVER : now + leaseMs;
}
