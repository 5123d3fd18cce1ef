import type { ServedCertificate } from './certificate-source.ts';

/** The answers to a certificate authority that asks whether a hostname is served here (RFC 8555 section 8). */
export interface ChallengeSource {
  /** HTTP-01 (RFC 8555 section 8.3). @returns the key authorization, or null where this token is none of ours. */
  findKeyAuthorization(hostname: string, token: string): Promise<string | null>;
  /** TLS-ALPN-01 (RFC 8737). @returns the certificate with the digest in it, or null where no such challenge is open. */
  findChallengeCertificate(hostname: string): Promise<ServedCertificate | null>;
}
