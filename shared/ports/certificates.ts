import type { KeyObject } from 'node:crypto';
import type { AcmeProblem } from '../core/certificates/acme-problem.ts';
import type { Ca } from '../core/certificates/ca.ts';
import type { OrderStatus } from '../core/certificates/certificate-order.ts';
import type { RenewalWindow } from '../core/certificates/renewal-time.ts';
import type { Instant } from '../core/instant.ts';

/**
 * The requests to one certificate authority (RFC 8555, RFC 9773). No method waits or retries, except to get another nonce. A failure of the
 * authority is returned as a problem, never thrown.
 */
export interface CertificateAuthority {
  readonly ca: Ca;
  /** Creates the account of this key, or finds it. @returns its URL. A deactivated account is a problem of the type `unauthorized`. */
  newAccount(privateKey: KeyObject): Promise<CaAnswer<string>>;
  /** Returns the account's status, such as `valid` or `deactivated` (RFC 8555 section 7.1.2). */
  accountStatus(account: CaAccount): Promise<CaAnswer<string>>;
  /** Places an order. @returns its URL. @param order.replaces the ARI identifier of the certificate that this one replaces (RFC 9773 section 5), or null. */
  newOrder(
    account: CaAccount,
    order: { names: readonly string[]; replaces: string | null },
  ): Promise<CaAnswer<string>>;
  order(account: CaAccount, orderUrl: string): Promise<CaAnswer<CaOrder>>;
  authorization(account: CaAccount, url: string): Promise<CaAnswer<CaAuthorization>>;
  /** Tells the authority that the response to the challenge is in place. */
  challengeReady(account: CaAccount, url: string): Promise<CaAnswer<null>>;
  /** Finalizes an order, whose new status `order` reads. @param request the certificate signing request in DER (RFC 2986). */
  finalize(account: CaAccount, finalizeUrl: string, request: Uint8Array): Promise<CaAnswer<null>>;
  /** Downloads the certificate chain. @returns PEM. */
  chain(account: CaAccount, certificateUrl: string): Promise<CaAnswer<string>>;
  /** Revokes a certificate of the account (RFC 8555 section 7.6). @param certificate DER. @param reason a code of RFC 5280 section 5.3.1. */
  revoke(account: CaAccount, certificate: Uint8Array, reason: number): Promise<CaAnswer<null>>;
  /** Returns the window in which the authority wants the certificate renewed, or null if it has no ARI. */
  renewalWindow(ariId: string): Promise<CaAnswer<RenewalWindow | null>>;
  /** Ends all requests in flight. */
  close(): Promise<void>;
}

export interface CaAccount {
  account_url: string;
  private_key: KeyObject;
}

/** The authority's response. `retry_at` is set if the authority said when to ask again (`Retry-After`). */
export type CaAnswer<T> =
  | { ok: true; value: T; retryAt: Instant | null }
  | { ok: false; problem: AcmeProblem };

export interface CaOrder {
  status: OrderStatus;
  authorizations: readonly string[];
  /** Null if the authority has not given the URL. Only the step that uses it needs it. */
  finalize_url: string | null;
  certificate_url: string | null;
  problem: AcmeProblem | null;
}

export interface CaAuthorization {
  name: string;
  /** The status of an authorization (RFC 8555 section 7.1.6). */
  status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';
  challenges: readonly CaChallenge[];
}

export interface CaChallenge {
  type: string;
  url: string;
  status: 'pending' | 'processing' | 'valid' | 'invalid';
  token: string;
  problem: AcmeProblem | null;
}

/** The certificates that the edge serves to visitors, by hostname. */
export interface CertificateSource {
  /**
   * Finds the certificate for a hostname. Called during a handshake, once for each name that is not cached. Any client can trigger it, so
   * an unknown name must be cheap. It never waits for a certificate authority.
   * @param hostname the server name that the visitor sent (SNI), in lowercase.
   * @returns null if there is none, which ends the handshake.
   * @throws if the source is unavailable. The edge then continues to serve the certificate it has cached.
   */
  findCertificate(hostname: string): Promise<ServedCertificate | null>;
  /** Returns whether the certificate is known to be gone, without a query. The edge then drops its key at once. */
  isGone?(hostname: string): boolean;
}

export interface ServedCertificate {
  /** The certificate chain in PEM, leaf first. */
  chain: string;
  /** The private key in PEM. Only the TLS library may receive it. */
  private_key: string;
  /** Identifies the certificate: a different serial means a different certificate. */
  serial: string;
}

/** The responses to a certificate authority that validates control of a hostname (RFC 8555 section 8). */
export interface ChallengeSource {
  /** HTTP-01 (RFC 8555 section 8.3). @returns the key authorization, or null if the token is unknown. */
  findKeyAuthorization(hostname: string, token: string): Promise<string | null>;
  /** TLS-ALPN-01 (RFC 8737). @returns the certificate that contains the digest, or null if no such challenge is open. */
  findChallengeCertificate(hostname: string): Promise<ServedCertificate | null>;
}
