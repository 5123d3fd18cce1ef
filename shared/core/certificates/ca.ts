import { type CaaVerdict, caaVerdict } from '../dns/caa.ts';
import type { Lookup } from '../dns/dns-survey.ts';
import { HOUR_MS, type Instant } from '../instant.ts';
import type { ChallengeMethod } from './acme-challenge.ts';
import { CHALLENGE_METHODS } from './acme-challenge.ts';
import type { OrderPurpose } from './certificate-order.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** A certificate authority as the operator lists it: of those in the list, the first that may be asked is. */
export interface Ca {
  /** Short and lasting: rows, metrics and the operator's lists call it by this. */
  name: string;
  /** Of its ACME directory (RFC 8555 section 7.1.1). */
  directory_url: string;
  /** What CAA records may name it by (RFC 8659 section 4.2), lowercase. */
  caa_issuers: readonly string[];
  /** Where it writes to about the account, such as `mailto:ops@example.net`. */
  contacts: readonly string[];
  /** Binds our account to one that the operator has there (RFC 8555 section 7.3.4). `mac_key` is base64url and secret. */
  eab: { key_id: string; mac_key: string } | null;
  limits: CaLimits;
}

/** So many in so long, with room for all of them at once. */
export interface Allowance {
  limit: number;
  window_ms: number;
}

export interface CaLimits {
  /** New orders of the account. */
  orders: Allowance;
  /** Failed authorizations of one hostname. */
  failures: Allowance;
  /** Certificates of one exact set of names; null where it has no such limit, or it is not known. */
  certificates: Allowance | null;
}

/** Those of Let's Encrypt, which others are not below. */
export const USUAL_LIMITS: CaLimits = {
  orders: { limit: 300, window_ms: 3 * HOUR_MS },
  failures: { limit: 5, window_ms: HOUR_MS },
  certificates: null,
};

/** Of the orders' allowance, what an order that ARI does not exempt leaves to hostnames that have no certificate yet. */
export const KEPT_FOR_FIRST: Readonly<Record<OrderPurpose, number>> = {
  issue: 0,
  renew: 0.25,
  join_www: 0.25,
};

/**
 * An app may always take this part of the orders' allowance for hostnames that have no certificate yet. Beyond it, it takes what the others
 * leave over: no more than the part of the bucket that `KEPT_FOR_OTHER_APPS` is not.
 */
export const APP_SHARE = 1 / 3;
export const KEPT_FOR_OTHER_APPS = 0.5;

/** Why a certificate authority cannot be asked now. */
export interface Obstacle {
  reason: CertificateReason;
  /** When it can be; null where no time will mend it. */
  until: Instant | null;
  /** The name whose records decided, and what they say; other people's text. */
  at: string | null;
  found: string | null;
}

/**
 * What to tell where none can be asked: the one that is over the soonest; where none passes by itself, the first of the list.
 * @param obstacles in the order of the list.
 */
export function leastObstacle(obstacles: readonly Obstacle[]): Obstacle | undefined {
  const passing = obstacles.filter(({ until }) => until !== null);
  return passing.toSorted((a, b) => (a.until ?? 0) - (b.until ?? 0))[0] ?? obstacles[0];
}

/** What an attempt comes to that finds no authority to ask. */
export interface NobodyToAsk {
  /** A place in the queue of the authority that has room the soonest, whatever another one told us to wait. */
  place: Obstacle | null;
  /** One of them has failed, or is away: that is what the attempts are counted for. */
  failed: boolean;
}

export function nobodyToAsk(obstacles: readonly Obstacle[]): NobodyToAsk {
  const place = leastObstacle(obstacles.filter(({ reason }) => reason === 'ca_rate_limited')) ?? null;
  return { place, failed: place === null || obstacles.some(({ reason }) => reason === 'ca_unavailable') };
}

/**
 * Whether another certificate authority may succeed where this one failed. What is wrong with the DNS, or with the road from the
 * world to our edge, is the same for all of them.
 */
export function anotherMayIssue(reason: CertificateReason): boolean {
  return reason === 'ca_unavailable' || reason === 'ca_rate_limited' || reason === 'ca_rejected';
}

/** The methods by which it may validate all the names, or why not by any (RFC 8657). @param lookups CAA, by name. */
export function allowedMethods(
  { caa_issuers }: Ca,
  account_uri: string,
  lookups: ReadonlyMap<string, readonly Lookup[]>,
): { methods: ChallengeMethod[] } | { refused: string; verdict: Extract<CaaVerdict, { allowed: false }> } {
  let refusal: { refused: string; verdict: Extract<CaaVerdict, { allowed: false }> } | null = null;
  const methods = CHALLENGE_METHODS.filter((method) => {
    for (const [name, seen] of lookups) {
      const verdict = caaVerdict(seen, name, caa_issuers, { method, account_uri, wildcard: false });
      if (verdict.allowed) continue;
      refusal ??= { refused: name, verdict };
      return false;
    }
    return true;
  });
  return methods.length > 0 || refusal === null ? { methods } : refusal;
}
