import type { KeyObject } from 'node:crypto';
import type { AcmeProblem } from '../core/certificates/acme-problem.ts';
import type { Ca } from '../core/certificates/ca.ts';
import type { OrderStatus } from '../core/certificates/certificate-order.ts';
import type { RenewalWindow } from '../core/certificates/renewal-time.ts';
import type { Instant } from '../core/instant.ts';

/**
 * The requests to one certificate authority (RFC 8555, RFC 9773). No method waits or retries, except to get another nonce. Methods return a
 * failure of the authority as a problem and never throw it.
 */
export interface CertificateAuthority {
  readonly ca: Ca;
  /**
   * Creates the account of this key, or finds the existing account. @returns the account's URL. A deactivated account is a problem of the
   * type `unauthorized`.
   */
  newAccount(privateKey: KeyObject): Promise<CaAnswer<string>>;
  /** Returns the account's status, such as `valid` or `deactivated` (RFC 8555 section 7.1.2). */
  accountStatus(account: CaAccount): Promise<CaAnswer<string>>;
  /**
   * Places an order. @returns the order's URL. @param order.replaces the ARI identifier of the certificate that the new one replaces (RFC
   * 9773 section 5), or null.
   */
  newOrder(
    account: CaAccount,
    order: { names: readonly string[]; replaces: string | null },
  ): Promise<CaAnswer<string>>;
  order(account: CaAccount, orderUrl: string): Promise<CaAnswer<CaOrder>>;
  authorization(account: CaAccount, url: string): Promise<CaAnswer<CaAuthorization>>;
  /** Tells the authority that the response to the challenge is in place. */
  challengeReady(account: CaAccount, url: string): Promise<CaAnswer<null>>;
  /** Finalizes an order. Read the order's new status with `order`. @param request the certificate signing request in DER (RFC 2986). */
  finalize(account: CaAccount, finalizeUrl: string, request: Uint8Array): Promise<CaAnswer<null>>;
  /** Downloads the certificate chain. @returns the chain in PEM. */
  chain(account: CaAccount, certificateUrl: string): Promise<CaAnswer<string>>;
  /**
   * Revokes a certificate of the account (RFC 8555 section 7.6). @param certificate the certificate in DER. @param reason a code of RFC
   * 5280 section 5.3.1.
   */
  revoke(account: CaAccount, certificate: Uint8Array, reason: number): Promise<CaAnswer<null>>;
  /** Returns the window in which the authority wants the certificate renewed, or null if the authority does not support ARI. */
  renewalWindow(ariId: string): Promise<CaAnswer<RenewalWindow | null>>;
  /** Ends all requests in flight. */
  close(): Promise<void>;
}

export interface CaAccount {
  account_url: string;
  private_key: KeyObject;
}

/** The authority's response. `retryAt` is set if the authority said when to ask again (`Retry-After`). */
export type CaAnswer<T> =
  | { ok: true; value: T; retryAt: Instant | null }
  | { ok: false; problem: AcmeProblem };

export interface CaOrder {
  status: OrderStatus;
  authorizations: readonly string[];
  /** Null if the authority did not return the URL. A missing URL is an error only once the order has to be finalized. */
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
   * Finds the certificate for a hostname. The edge calls this during a handshake, once for each name that is not cached. Any client can
   * cause such a call, so an unknown name must cost little. Never waits for a certificate authority.
   * @param hostname the server name that the visitor sent (SNI), in lowercase.
   * @returns null if there is no certificate; the edge then ends the handshake.
   * @throws if the source is unavailable. The edge then continues to serve its cached certificate.
   */
  findCertificate(hostname: string): Promise<ServedCertificate | null>;
  /** Returns whether the certificate is known to be gone. Makes no query. If the result is true, the edge drops the private key at once. */
  isGone?(hostname: string): boolean;
}

export interface ServedCertificate {
  /** The certificate chain in PEM, leaf first. */
  chain: string;
  /** The private key in PEM. Only the TLS library may receive it. */
  private_key: string;
  /** The serial number, which identifies the certificate. */
  serial: string;
}

/** The responses to a certificate authority that validates control of a hostname (RFC 8555 section 8). */
export interface ChallengeSource {
  /** Finds the response to an HTTP-01 challenge (RFC 8555 section 8.3). @returns the key authorization, or null if the token is unknown. */
  findKeyAuthorization(hostname: string, token: string): Promise<string | null>;
  /**
   * Finds the certificate that answers a TLS-ALPN-01 challenge (RFC 8737). @returns the certificate that contains the digest, or null if no
   * such challenge is open.
   */
  findChallengeCertificate(hostname: string): Promise<ServedCertificate | null>;
}
