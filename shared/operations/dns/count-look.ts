import { ServiceError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import type { Context } from '../context.ts';

/** Who looks how often in 15 seconds. */
export interface LookLimit {
  /** What is counted, e.g. `verify:dom_…`. */
  name: string;
  limit: number;
  /** What the answer says beyond it. */
  message: string;
}

/**
 * Counts a look at the DNS that somebody asked for: the name servers are other people's.
 * @throws ServiceError `rate_limited`, with the seconds to wait.
 */
export async function countLook(
  { store, clock }: Context,
  { name, limit, message }: LookLimit,
): Promise<void> {
  const wait_ms = await countUse(store, { name, limit, window_ms: LIMITS.verify_window_ms }, clock.now());
  if (wait_ms === null) return;
  throw new ServiceError('rate_limited', { message, retry_after_s: Math.ceil(wait_ms / 1000) });
}
