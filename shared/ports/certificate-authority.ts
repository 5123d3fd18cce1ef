import type { KeyObject } from 'node:crypto';
import type { AcmeProblem } from '../core/certificates/acme-problem.ts';
import type { Ca } from '../core/certificates/ca.ts';
import type { OrderStatus } from '../core/certificates/certificate-order.ts';
import type { RenewalWindow } from '../core/certificates/renewal-time.ts';
import type { Instant } from '../core/instant.ts';

/**
 * What is asked of one certificate authority (RFC 8555, RFC 9773). Nothing here waits, or asks twice, but for another nonce. It never
 * throws for what the authority does: that is a problem.
 */
export interface CertificateAuthority {
  readonly ca: Ca;
  /** Makes the account of this key, or finds it. @returns its URL. */
  newAccount(private_key: KeyObject): Promise<CaAnswer<string>>;
  /** @param replaces the certificate that this one replaces, as ARI calls it. */
  newOrder(
    account: CaAccount,
    order: { names: readonly string[]; replaces: string | null },
  ): Promise<CaAnswer<CaOrder & { order_url: string }>>;
  order(account: CaAccount, order_url: string): Promise<CaAnswer<CaOrder>>;
  authorization(account: CaAccount, url: string): Promise<CaAnswer<CaAuthorization>>;
  /** Says that the challenge is answered and may be looked at. */
  challengeReady(account: CaAccount, url: string): Promise<CaAnswer<null>>;
  /** @param request DER (RFC 2986). */
  finalize(account: CaAccount, finalize_url: string, request: Uint8Array): Promise<CaAnswer<CaOrder>>;
  /** @returns PEM. */
  chain(account: CaAccount, certificate_url: string): Promise<CaAnswer<string>>;
  /** When it wants the certificate renewed; null where it does not say (no ARI). */
  renewalWindow(ari_id: string): Promise<CaAnswer<RenewalWindow | null>>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

export interface CaAccount {
  account_url: string;
  private_key: KeyObject;
}

/** An answer, and when to ask again where it said so (Retry-After). */
export type CaAnswer<T> =
  | { ok: true; value: T; retry_at: Instant | null }
  | { ok: false; problem: AcmeProblem };

export interface CaOrder {
  status: OrderStatus;
  authorizations: readonly string[];
  finalize_url: string;
  certificate_url: string | null;
  problem: AcmeProblem | null;
}

export interface CaAuthorization {
  name: string;
  /** RFC 8555 section 7.1.6. */
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
