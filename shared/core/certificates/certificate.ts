import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** `certificate` of section 2.2. */
export interface Certificate {
  issuer: string;
  not_before: Instant;
  not_after: Instant;
  renews_at: Instant;
}

/** Test certificates live as long as a common live one, so that renewal from day 60 of 90 (section 6) can be rehearsed. */
export const TEST_CERTIFICATE_MS = 90 * DAY_MS;

/** Two thirds of the lifetime: day 60 of 90 (section 8, certificate renewal). */
export function renewsAt(not_before: Instant, not_after: Instant): Instant {
  return not_before + Math.floor(((not_after - not_before) * 2) / 3 / MINUTE_MS) * MINUTE_MS;
}

/** What a test domain gets: no CA is asked (section 1). */
export function testCertificate(issuer: string, now: Instant): Certificate {
  const not_after = now + TEST_CERTIFICATE_MS;
  return { issuer, not_before: now, not_after, renews_at: renewsAt(now, not_after) };
}

export function isValid(certificate: Certificate | null, now: Instant): certificate is Certificate {
  return certificate !== null && certificate.not_before <= now && now < certificate.not_after;
}
