import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** The `certificate` of `docs/api.md#domain`. */
export interface Certificate {
  issuer: string;
  not_before: Instant;
  not_after: Instant;
  renews_at: Instant;
}

/**
 * Lifetime of test certificates. Common live certificates have the same lifetime, so you can rehearse the renewal on day 60 of 90
 * (`docs/api.md#webhooks`).
 */
export const TEST_CERTIFICATE_MS = 90 * DAY_MS;

/**
 * A certificate with a shorter lifetime than this is renewed after half of its lifetime. So after an outage of two days, there is still
 * time for several attempts.
 */
const SHORT_LIFETIME_MS = 10 * DAY_MS;

/**
 * Returns when a certificate is renewed: after two thirds of its lifetime, as on day 60 of 90 (`docs/api.md#limits`), or after half of a
 * short lifetime. The authority can choose another time (ARI). The lifetime is rounded to whole minutes.
 */
export function renewsAt(notBefore: Instant, notAfter: Instant): Instant {
  const lifetimeMs = notAfter - notBefore;
  const share = lifetimeMs < SHORT_LIFETIME_MS ? 1 / 2 : 2 / 3;
  return notBefore + Math.floor((lifetimeMs * share) / MINUTE_MS) * MINUTE_MS;
}

/** Returns the certificate of a test domain. No CA is involved (`docs/api.md#the-service`). */
export function testCertificate(
  issuer: string,
  now: Instant,
  lifetimeMs: number = TEST_CERTIFICATE_MS,
): Certificate {
  const notAfter = now + lifetimeMs;
  return { issuer, not_before: now, not_after: notAfter, renews_at: renewsAt(now, notAfter) };
}

export function isValid(certificate: Certificate | null, now: Instant): certificate is Certificate {
  return certificate !== null && certificate.not_before <= now && now < certificate.not_after;
}

/**
 * Reasons for which the holder of a certificate can revoke the certificate, with their codes (RFC 5280 section 5.3.1). Only authorities use
 * the other codes.
 */
export const REVOCATION_REASONS = {
  unspecified: 0,
  key_compromise: 1,
  superseded: 4,
  cessation_of_operation: 5,
} as const;
export type RevocationReason = keyof typeof REVOCATION_REASONS;
