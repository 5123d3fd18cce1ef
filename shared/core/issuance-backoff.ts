import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from './instant.ts';

/** How long after the first, second and third failure in a row the next attempt starts; daily after that (`docs/domains.md`). */
const LADDER_MS = [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS] as const;

/** The failures that a domain has before it is `cert_failed`. */
export const FAILURES_MAX = LADDER_MS.length;

/** A wait that is longer than the ladder is no wait: the customer is told. */
const PATIENCE_MS = 2 * HOUR_MS;

const SPREAD_MS_MAX = 15 * MINUTE_MS;

export interface AfterFailure {
  failures: number;
  next_attempt_at: Instant;
  /** The retries are spent: an issuance is `cert_failed` now, a renewal once its deadline has passed. */
  spent: boolean;
}

/**
 * What follows an attempt that brought no certificate: the ladder where something failed, a place in a queue where all that is missing is
 * room, and whichever comes first where one authority has failed and another has no room.
 * @param failures in a row before it.
 * @param failed something did. To wait in a queue is no failure.
 * @param until when the first authority has room; null where none is short of it, which is a failure.
 * @param since when the wait began: what has waited for long asks less often, so that a queue of thousands is no load.
 * @param random 0 to 1, so that what failed together is not tried again together.
 */
export function afterFailure(
  failures: number,
  { failed, until, since }: { failed: boolean; until: Instant | null; since: Instant },
  now: Instant,
  random: number,
): AfterFailure {
  const ladder_at = now + Math.round((LADDER_MS[failures] ?? DAY_MS) * (0.9 + random * 0.2));
  const spread_ms = Math.min(Math.max((now - since) / 8, MINUTE_MS), SPREAD_MS_MAX);
  const room_at = until === null ? null : Math.max(until, now) + Math.ceil(random * spread_ms);
  if (room_at !== null && until !== null && (!failed || room_at < ladder_at)) {
    return {
      failures,
      // As with a failure, nobody waits for longer than a day: the customer, or another authority, may have mended it.
      next_attempt_at: Math.min(room_at, now + DAY_MS),
      spent: failures >= FAILURES_MAX || until - now > PATIENCE_MS,
    };
  }
  return { failures: failures + 1, next_attempt_at: ladder_at, spent: failures + 1 >= FAILURES_MAX };
}
