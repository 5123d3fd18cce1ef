import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** Delays after the first, second and third consecutive failure; after more failures, attempts are daily (`docs/domains.md`). */
const LADDER_MS = [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS] as const;

/** Consecutive failures after which a domain is `cert_failed`. */
export const FAILURES_MAX = LADDER_MS.length;

/** If the wait for a rate limit is longer than this, `spent` is true. A domain without a certificate then becomes `cert_failed`. */
const PATIENCE_MS = 2 * HOUR_MS;

/** If a domain has already waited this long for rate limits, its next attempt is a day later. */
const WAITS_MS_MAX = DAY_MS;

const SPREAD_MS_MAX = 15 * MINUTE_MS;

export interface AfterFailure {
  failures: number;
  next_attempt_at: Instant;
  /** True once the retries are used up. A first issuance then ends in `cert_failed`, and a renewal only after its deadline. */
  spent: boolean;
}

/**
 * Schedules the next attempt after an attempt that got no certificate. After a failure, the delay is taken from `LADDER_MS`. After a rate
 * limit, the next attempt comes when the limit allows an order. If one authority failed and another is rate limited, the earlier of the two
 * times is used.
 * @param failures consecutive failures before this attempt.
 * @param failed true if an authority failed. A rate limit is not a failure.
 * @param until when the first rate limit allows an order; null if no authority is rate limited. The attempt then counts as failed.
 * @param since when the wait began; null if visitors still have a valid certificate. The longer a domain has waited, the more its attempts
 * are spread, so that a queue of thousands causes little load.
 * @param random 0 to 1. Spreads out attempts that failed at the same time.
 */
export function afterFailure(
  failures: number,
  { failed, until, since }: { failed: boolean; until: Instant | null; since: Instant | null },
  now: Instant,
  random: number,
): AfterFailure {
  const ladderAt = now + Math.round((LADDER_MS[failures] ?? DAY_MS) * (0.9 + random * 0.2));
  if (until === null) return failure(failures, ladderAt);
  const isLong = until - now > PATIENCE_MS;
  const inVain = !isLong && since !== null && now - since >= WAITS_MS_MAX;
  const spreadMs =
    since === null ? SPREAD_MS_MAX : Math.min(Math.max((now - since) / 8, MINUTE_MS), SPREAD_MS_MAX);
  const spread = Math.ceil(random * spreadMs);
  // The wait is at most a day. By then, the customer may have fixed the cause, or another authority may accept the order.
  const roomAt = inVain ? now + DAY_MS + spread : Math.min(Math.max(until, now) + spread, now + DAY_MS);
  if (failed && ladderAt <= roomAt) return failure(failures, ladderAt);
  return { failures, next_attempt_at: roomAt, spent: failures >= FAILURES_MAX || isLong || inVain };
}

function failure(failures: number, ladderAt: Instant): AfterFailure {
  return { failures: failures + 1, next_attempt_at: ladderAt, spent: failures + 1 >= FAILURES_MAX };
}
