import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** The `certificate` of `docs/api.md#domain`. */
export interface Certificate {
  issuer: string;
  not_before: Instant;
  not_after: Instant;
  renews_at: Instant;
}

/** Test certificates last as long as a common live one, so that you can rehearse renewal on day 60 of 90 (`docs/api.md#webhooks`). */
export const TEST_CERTIFICATE_MS = 90 * DAY_MS;

/**
 * Returns when two thirds of the lifetime have passed: day 60 of 90 (`docs/api.md#limits`, certificate renewal). Whole minutes of lifetime.
 */
export function renewsAt(notBefore: Instant, notAfter: Instant): Instant {
  return notBefore + Math.floor(((notAfter - notBefore) * 2) / 3 / MINUTE_MS) * MINUTE_MS;
}

/** Returns the certificate of a test domain. No CA is asked (`docs/api.md#the-service`). */
export function testCertificate(issuer: string, now: Instant): Certificate {
  const notAfter = now + TEST_CERTIFICATE_MS;
  return { issuer, not_before: now, not_after: notAfter, renews_at: renewsAt(now, notAfter) };
}

export function isValid(certificate: Certificate | null, now: Instant): certificate is Certificate {
  return certificate !== null && certificate.not_before <= now && now < certificate.not_after;
}
