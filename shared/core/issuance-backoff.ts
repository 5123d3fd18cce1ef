import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from './instant.ts';

/** How long after the first, second and third failure in a row the next attempt starts; daily after that (`docs/domains.md`). */
const LADDER_MS = [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS] as const;

/** The failures that a domain has before it is `cert_failed`. */
export const FAILURES_MAX = LADDER_MS.length;

/** A wait that is longer than the ladder is no wait: the customer is told. */
const PATIENCE_MS = 2 * HOUR_MS;

export interface AfterFailure {
  failures: number;
  next_attempt_at: Instant;
  /** The retries are spent: an issuance is `cert_failed` now, a renewal once its deadline has passed. */
  spent: boolean;
}

/**
 * What follows an attempt that brought no certificate.
 * @param failures in a row before it.
 * @param until where nobody was asked, or all were limited: when somebody can be. To wait in a queue is no failure.
 * @param random 0 to 1, so that what failed together is not tried again together.
 */
export function afterFailure(
  failures: number,
  until: Instant | null,
  now: Instant,
  random: number,
): AfterFailure {
  if (until !== null) {
    return {
      failures,
      next_attempt_at: Math.max(until, now) + Math.ceil(random * MINUTE_MS),
      spent: failures >= FAILURES_MAX || until - now > PATIENCE_MS,
    };
  }
  const failed = failures + 1;
  const wait_ms = LADDER_MS[failures] ?? DAY_MS;
  return {
    failures: failed,
    next_attempt_at: now + Math.round(wait_ms * (0.9 + random * 0.2)),
    spent: failed >= FAILURES_MAX,
  };
}
