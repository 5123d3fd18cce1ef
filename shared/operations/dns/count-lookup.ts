import { ServiceError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import type { Context } from '../context.ts';

/** The number of lookups that one counter allows within 15 seconds. */
export interface LookupLimit {
  /** The name of the counter, e.g. `verify:dom_…`. */
  name: string;
  limit: number;
  /** The message of the error when the limit is exceeded. */
  message: string;
}

/**
 * Counts a requested DNS lookup. Lookups are limited because the name servers belong to other people.
 * @throws ServiceError `rate_limited`, with the seconds to wait.
 */
export async function countLookup(
  { store, clock }: Context,
  { name, limit, message }: LookupLimit,
): Promise<void> {
  const waitMs = await countUse(store, { name, limit, window_ms: LIMITS.verify_window_ms }, clock.now());
  if (waitMs === null) return;
  throw new ServiceError('rate_limited', { message, retry_after_s: Math.ceil(waitMs / 1000) });
}
