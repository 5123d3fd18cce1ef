import { DAY_MS, HOUR_MS, type Instant } from '../instant.ts';

/** When a certificate authority wants a certificate renewed (RFC 9773 section 4.2). */
export interface RenewalWindow {
  start: Instant;
  end: Instant;
}

/**
 * A random moment of the window, so that its renewals spread (RFC 9773 section 4.2). An authority whose windows lie in the past, or move
 * away as they are asked for, gets neither an order a minute nor a certificate that ends.
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

/** A window is asked for twice a day, or as often as the authority says, within reason (RFC 9773 section 4.3). */
export function renewalPollMs(retry_after_ms: number | null): number {
  return Math.min(Math.max(retry_after_ms ?? 12 * HOUR_MS, HOUR_MS), DAY_MS);
}

/**
 * Until when a failing renewal is retried in silence: 10 days before the end (`docs/domains.md`), and of a short-lived certificate
 * until a sixth of its life is left.
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
