import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** The window in which a certificate authority wants a certificate renewed (RFC 9773 section 4.2). */
export interface RenewalWindow {
  start: Instant;
  end: Instant;
}

/** A new certificate is not used if it expires within this time. No certificate is renewed within this time after it arrived. */
export const RENEWAL_FLOOR_MS = 10 * MINUTE_MS;

/**
 * A certificate's lifetime, and when we got it. `not_before` can differ from the time when we got it, because authorities backdate
 * certificates and clocks differ.
 */
export interface Received {
  not_before: Instant;
  not_after: Instant;
  created_at: Instant;
}

/**
 * Returns the earliest renewal of a certificate: 6 hours after it arrives, or a sixth of its remaining lifetime if that is less. So no
 * authority can make us place one order after another.
 */
export function renewalFloor({ not_before, not_after, created_at }: Received): Instant {
  const since = Math.max(not_before, created_at);
  return since + Math.max(RENEWAL_FLOOR_MS, Math.min(6 * HOUR_MS, Math.floor((not_after - since) / 6)));
}

/**
 * Returns a random time in the window, so that renewals spread out (RFC 9773 section 4.2). The result is never earlier than `renewalFloor`.
 * It is never later than the renewal deadline, so that the certificate cannot expire while the authority keeps moving the window.
 * @param random 0 to 1.
 */
export function renewalMoment({ start, end }: RenewalWindow, certificate: Received, random: number): Instant {
  const moment = Math.floor(start + Math.max(0, end - start) * random);
  return Math.max(Math.min(moment, renewalDeadline(certificate)), renewalFloor(certificate));
}

/**
 * Returns the delay until the authority is asked for the window again: 12 hours, or its `Retry-After` if that is between 1 and 24 hours
 * (RFC 9773 section 4.3).
 */
export function renewalPollMs(retryAfterMs: number | null): number {
  return Math.min(Math.max(retryAfterMs ?? 12 * HOUR_MS, HOUR_MS), DAY_MS);
}

/**
 * Returns when a failing renewal is reported: 10 days before the certificate expires (`docs/domains.md`), or when a sixth of its lifetime
 * is left, whichever is later.
 */
export function renewalDeadline({
  not_before,
  not_after,
}: {
  not_before: Instant;
  not_after: Instant;
}): Instant {
  return not_after - Math.min(10 * DAY_MS, Math.floor((not_after - not_before) / 6));
}
