import { BUDGETS } from '../budgets.ts';
import { type CaaVerdict, caaVerdict } from '../dns/caa.ts';
import type { Lookup } from '../dns/dns-survey.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../instant.ts';
import type { ChallengeMethod } from './acme-challenge.ts';
import type { OrderPurpose } from './certificate-order.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** A certificate authority as the operator configures it. The worker uses the first authority in the list that accepts an order now. */
export interface Ca {
  /** Short, stable name that database rows, metrics and operator commands use. */
  name: string;
  /** URL of the ACME directory (RFC 8555 section 7.1.1). */
  directory_url: string;
  /** The names by which CAA records identify the authority (RFC 8659 section 4.2), in lowercase. */
  caa_issuers: readonly string[];
  /** Contact URLs of the account, such as `mailto:ops@example.net`. */
  contacts: readonly string[];
  /** Binds our account to the operator's account with the CA (RFC 8555 section 7.3.4). `mac_key` is base64url and secret. */
  eab: { key_id: string; mac_key: string } | null;
  /** The certificate profile to order (draft-ietf-acme-profiles), such as `shortlived`; null for the authority's default. */
  profile: string | null;
  limits: CaLimits;
}

/** A rate limit: `limit` requests within `window_ms`. All of these requests may come at the same time. */
export interface Allowance {
  limit: number;
  window_ms: number;
}

export interface CaLimits {
  /** New orders of the account. */
  orders: Allowance;
  /** Failed authorizations of one hostname. */
  failures: Allowance;
  /** Certificates for the same set of names. Null if the authority has no such limit, or if we do not know it. */
  certificates: Allowance | null;
}

/** The default limits of every authority, which are Let's Encrypt's. We expect that no other public authority has lower limits. */
export const USUAL_LIMITS: CaLimits = {
  orders: { limit: BUDGETS.ca_orders.of, window_ms: 3 * HOUR_MS },
  failures: { limit: 5, window_ms: HOUR_MS },
  certificates: null,
};

/**
 * The fraction of the limit `CaLimits.orders` that an order must leave free for hostnames without a certificate, by the purpose of the
 * order.
 */
export const RESERVED_FOR_FIRST_CERTIFICATES: Readonly<Record<OrderPurpose, number>> = {
  issue: 0,
  renew: 0.25,
  join_www: 0.25,
};

/**
 * The fraction of the limit `CaLimits.orders` that an order must leave free if its account has used up its own share (`ca_orders` in
 * `shared/core/budgets.ts`). Renewals are exempt.
 */
export const RESERVED_FOR_OTHER_ACCOUNTS = 0.5;

/** A reason why a certificate authority accepts no order now. */
export interface Obstacle {
  reason: CertificateReason;
  /** When the authority can be asked again; null if waiting does not help. */
  until: Instant | null;
  /** The name whose records forbid the order. `found` is the text of these records, which is untrusted. */
  at: string | null;
  found: string | null;
}

/**
 * Returns the obstacle to report if no authority accepts the order: the obstacle that ends soonest, or the first in the list if none ends
 * by itself.
 * @param obstacles one for each authority, in the operator's order.
 */
export function leastObstacle(obstacles: readonly Obstacle[]): Obstacle | undefined {
  const passing = obstacles.filter(({ until }) => until !== null);
  return passing.toSorted((a, b) => (a.until ?? 0) - (b.until ?? 0))[0] ?? obstacles[0];
}

/** The outcome of an attempt to order a certificate if no authority accepts the order. */
export interface ObstacleSummary {
  /** The rate limit that ends soonest. The attempt waits until then. Null if no authority is rate limited. */
  place: Obstacle | null;
  /** True if the attempt counts as a failure: an authority is unavailable or refuses us, or no authority is rate limited. */
  failed: boolean;
}

/** Summarizes the obstacles of all authorities. */
export function summarizeObstacles(obstacles: readonly Obstacle[]): ObstacleSummary {
  const place = leastObstacle(obstacles.filter(({ reason }) => reason === 'ca_rate_limited')) ?? null;
  return { place, failed: place === null || obstacles.some(({ reason }) => FAILURES.includes(reason)) };
}

/** An attempt with one of these reasons counts as failed, even if another authority only asks us to wait. */
const FAILURES: readonly CertificateReason[] = ['ca_unavailable', 'ca_refused'];

/**
 * Returns true if another certificate authority may succeed where one failed for this reason. A fault in the DNS, or on the path to our
 * edge, affects every authority.
 */
export function anotherMayIssue(reason: CertificateReason): boolean {
  return FAILURES.includes(reason) || reason === 'ca_rate_limited' || reason === 'ca_rejected';
}

/**
 * Returns the challenge methods by which the authority may validate all the names, or the CAA verdict that allows none (RFC 8657).
 * @param possible the methods that our service can answer. @param lookups CAA lookups by name.
 */
export function allowedMethods(
  { caa_issuers }: Ca,
  accountUri: string,
  possible: readonly ChallengeMethod[],
  lookups: ReadonlyMap<string, readonly Lookup[]>,
): { methods: ChallengeMethod[] } | { refused: string; verdict: Extract<CaaVerdict, { allowed: false }> } {
  let refusal: { refused: string; verdict: Extract<CaaVerdict, { allowed: false }> } | null = null;
  const methods = possible.filter((method) => {
    for (const [name, seen] of lookups) {
      const verdict = caaVerdict(seen, name, caa_issuers, {
        method,
        accountUri,
        wildcard: false,
      });
      if (verdict.allowed) continue;
      refusal ??= { refused: name, verdict };
      return false;
    }
    return true;
  });
  return methods.length > 0 || refusal === null ? { methods } : refusal;
}

/**
 * Returns the values of the CAA records that let only our accounts order certificates for a name (RFC 8657 section 3). There is one value
 * for each authority at which we have an account.
 */
export function issuanceLock(
  accounts: readonly { ca: Pick<Ca, 'caa_issuers'>; accountUrl: string | null }[],
): string[] {
  return accounts.flatMap(({ ca: { caa_issuers }, accountUrl }) => {
    const [issuer] = caa_issuers;
    // A quote or a semicolon would end the value early. No known authority has account URLs that contain one.
    if (issuer === undefined || accountUrl === null || /[";\\\s]/.test(accountUrl)) return [];
    return [`0 issue "${issuer}; accounturi=${accountUrl}"`];
  });
}

/** Public ACME certificate authorities that an operator may configure by name alone, with the names that CAA records use for them. */
export const KNOWN_CAS: Readonly<
  Record<string, Pick<Ca, 'directory_url' | 'caa_issuers'> & { needsEab: boolean; certificates?: Allowance }>
> = {
  letsencrypt: {
    directory_url: 'https://acme-v02.api.letsencrypt.org/directory',
    caa_issuers: ['letsencrypt.org'],
    needsEab: false,
    // https://letsencrypt.org/docs/rate-limits/
    certificates: { limit: 5, window_ms: 7 * DAY_MS },
  },
  'letsencrypt-staging': {
    directory_url: 'https://acme-staging-v02.api.letsencrypt.org/directory',
    caa_issuers: ['letsencrypt.org'],
    needsEab: false,
  },
  google: {
    directory_url: 'https://dv.acme-v02.api.pki.goog/directory',
    caa_issuers: ['pki.goog'],
    needsEab: true,
  },
  zerossl: {
    directory_url: 'https://acme.zerossl.com/v2/DV90',
    caa_issuers: ['sectigo.com'],
    needsEab: true,
  },
};
