import type { Instant } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** The end of time as RFC 3339 can write it. */
const NEVER: Instant = Date.UTC(9999, 11, 31);

/** When a lease that starts now runs out, so that another takes over what a dead worker held. */
export function leaseEnd(
  { single_process }: Pick<Settings, 'single_process'>,
  now: Instant,
  lease_ms: number,
): Instant {
  return single_process ? NEVER : now + lease_ms;
}
