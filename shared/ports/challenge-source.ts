import type { ServedCertificate } from './certificate-source.ts';

/** The responses to a certificate authority that validates control of a hostname (RFC 8555 section 8). */
export interface ChallengeSource {
  /** HTTP-01 (RFC 8555 section 8.3). @returns the key authorization, or null if the token is unknown. */
  findKeyAuthorization(hostname: string, token: string): Promise<string | null>;
  /** TLS-ALPN-01 (RFC 8737). @returns the certificate that contains the digest, or null if no such challenge is open. */
  findChallengeCertificate(hostname: string): Promise<ServedCertificate | null>;
}
