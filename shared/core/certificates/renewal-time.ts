import { DAY_MS, HOUR_MS, type Instant } from '../instant.ts';

/** The window in which a certificate authority wants a certificate renewed (RFC 9773 section 4.2). */
export interface RenewalWindow {
  start: Instant;
  end: Instant;
}

/**
 * Returns a random time in the window, so that renewals spread out (RFC 9773 section 4.2). The result is never earlier than 6 hours (or a
 * sixth of the lifetime) after issuance, and never later than the renewal deadline. So a window in the past cannot cause one order after
 * another, and a window that keeps moving cannot let the certificate expire.
 * @param random 0 to 1.
 */
export function renewalMoment(
  { start, end }: RenewalWindow,
  certificate: { not_before: Instant; not_after: Instant },
  random: number,
): Instant {
  const moment = Math.floor(start + Math.max(0, end - start) * random);
  const { not_before, not_after } = certificate;
  const earliest = not_before + Math.min(6 * HOUR_MS, Math.floor((not_after - not_before) / 6));
  return Math.min(Math.max(moment, earliest), renewalDeadline(certificate));
}

/**
 * Returns the delay until the window is requested again: 12 hours, or the authority's `Retry-After` if that is between 1 and 24 hours (RFC
 * 9773 section 4.3).
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
