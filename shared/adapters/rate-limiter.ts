import type { RequestRate } from '../core/settings.ts';
import type { Clock } from '../ports/system.ts';

export interface RateState {
  allowed: boolean;
  /** Requests left in the bucket. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetS: number;
  /** Seconds until the next request is allowed; 0 if one is allowed now. */
  retry_after_s: number;
}

const BUCKETS_MAX = 50_000;

/** Creates a rate limiter with a token bucket for each name, on this node only. */
export function createRateLimiter(rate: RequestRate, clock: Clock) {
  // The buckets by name, in the order of their last use.
  const buckets = new Map<string, { tokens: number; at: number }>();
  return function take(name: string): RateState {
    const now = clock.now();
    const bucket = buckets.get(name) ?? { tokens: rate.burst, at: now };
    const refilled = bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate.perSecond;
    const tokens = Math.min(rate.burst, refilled);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    buckets.delete(name);
    buckets.set(name, { tokens: left, at: now });
    const [oldest] = buckets.keys();
    if (buckets.size > BUCKETS_MAX && oldest !== undefined) buckets.delete(oldest);
    return {
      allowed,
      remaining: Math.floor(left),
      resetS: Math.ceil((rate.burst - left) / rate.perSecond),
      retry_after_s: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / rate.perSecond)),
    };
  };
}
