import type { ChallengeMethod } from '../core/certificates/acme-challenge.ts';
import type { DomainId } from '../core/ids.ts';

/**
 * Checks our own edge from outside, at each of its addresses, and our own name servers in the same way. A check passes if at least one address serves what it should and none serves
 * anything else. An address that does not respond at all is an outage, and no reason to hold a certificate back.
 */
export interface EdgeProbe {
  /**
   * Returns whether the challenge is answered, so that the certificate authority may validate it. If no address responds at all, returns the
   * addresses: this node's network may not lead back to its own public address.
   */
  answersChallenge(challenge: {
    hostname: string;
    domain_id: DomainId;
    method: ChallengeMethod;
    token: string;
    key_authorization: string;
    /** The host that answers HTTP-01, if the hostname's old host redirects there. */
    redirected_to?: string;
  }): Promise<EdgeView>;
  /** Returns the same for a TLS handshake that must get the certificate with this serial number (lowercase hex). */
  showsCertificate(hostname: string, serial: string): Promise<EdgeView>;
}

export type EdgeView = boolean | { unreachable: readonly string[] };
