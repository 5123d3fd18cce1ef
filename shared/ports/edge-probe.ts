import type { ChallengeMethod } from '../core/certificates/acme-challenge.ts';

/**
 * Looks at our own edge as the world does, at each of its addresses. True only where at least one address shows what it should and none
 * shows something else: an address that does not answer at all is an outage, and no reason to keep a certificate back.
 */
export interface EdgeProbe {
  /** Whether the edge answers the challenge, so that the certificate authority may look. */
  answersChallenge(challenge: {
    hostname: string;
    method: ChallengeMethod;
    token: string;
    key_authorization: string;
  }): Promise<boolean>;
  /** Whether a TLS handshake for the hostname shows the certificate with this serial (lowercase hex). */
  showsCertificate(hostname: string, serial: string): Promise<boolean>;
}
