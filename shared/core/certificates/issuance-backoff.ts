import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** How long after the first, second and third failure in a row the next attempt starts; daily after that (`docs/domains.md`). */
const LADDER_MS = [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS] as const;

/** The failures that a domain has before it is `cert_failed`. */
export const FAILURES_MAX = LADDER_MS.length;

/** A wait that is longer than the ladder is no wait: the customer is told. */
const PATIENCE_MS = 2 * HOUR_MS;

/** Nor are short ones that have followed each other for so long: the next attempt is the daily one. */
const WAITS_MS_MAX = DAY_MS;

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
 * @param since when the wait began: what has waited for long asks less often, so that a queue of thousands is no load. Null where the
 * visitors have a certificate: it may wait until they do not.
 * @param random 0 to 1, so that what failed together is not tried again together.
 */
export function afterFailure(
  failures: number,
  { failed, until, since }: { failed: boolean; until: Instant | null; since: Instant | null },
  now: Instant,
  random: number,
): AfterFailure {
  const ladder_at = now + Math.round((LADDER_MS[failures] ?? DAY_MS) * (0.9 + random * 0.2));
  if (until === null) return failure(failures, ladder_at);
  const is_long = until - now > PATIENCE_MS;
  const in_vain = !is_long && since !== null && now - since >= WAITS_MS_MAX;
  const spread_ms =
    since === null ? SPREAD_MS_MAX : Math.min(Math.max((now - since) / 8, MINUTE_MS), SPREAD_MS_MAX);
  const spread = Math.ceil(random * spread_ms);
  // As with a failure, nobody waits for longer than a day: the customer, or another authority, may have mended it.
  const room_at = in_vain ? now + DAY_MS + spread : Math.min(Math.max(until, now) + spread, now + DAY_MS);
  if (failed && ladder_at <= room_at) return failure(failures, ladder_at);
  return { failures, next_attempt_at: room_at, spent: failures >= FAILURES_MAX || is_long || in_vain };
}

function failure(failures: number, ladder_at: Instant): AfterFailure {
  return { failures: failures + 1, next_attempt_at: ladder_at, spent: failures + 1 >= FAILURES_MAX };
}
