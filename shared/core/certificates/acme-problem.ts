import type { Instant } from '../instant.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** A problem that a certificate authority reported (RFC 8555 section 6.7), or a request without a valid response. */
export interface AcmeProblem {
  /** HTTP status; null if no response came. */
  status: number | null;
  /** Error type without `urn:ietf:params:acme:error:`; null if the response named none. */
  type: string | null;
  /** The authority's description of the problem, which is untrusted text. */
  detail: string;
  /** When the authority allows the next request; null if the response did not say. */
  retryAt: Instant | null;
  /** The problems of single names, if the authority reported them separately (RFC 8555 section 6.7.1). */
  subproblems: readonly { type: string | null; detail: string; name: string | null }[];
}

/**
 * Maps a problem to the reason that the customer sees.
 * @param of what failed: a new order, another of our requests, or the authority's validation of a challenge. For a request, `unauthorized`
 * means that our account is at fault; for a challenge, the hostname is at fault. For a new order, `malformed` blames the hostname too,
 * because nothing else differs from one order to the next.
 */
export function problemReason(
  problem: AcmeProblem,
  of: 'order' | 'request' | 'challenge',
): CertificateReason {
  const { type, status, detail, subproblems } = problem;
  if (type === 'compound') {
    const [first] = subproblems;
    return first === undefined ? 'ca_rejected' : problemReason({ ...problem, ...first, subproblems: [] }, of);
  }
  if (detail.includes(PAUSED)) return 'ca_refused';
  if (status === 429) return 'ca_rate_limited';
  const known = type === null ? undefined : (REASONS_OF[of].get(type) ?? REASONS.get(type));
  return known ?? (isDefinite(problem) ? 'ca_refused' : 'ca_unavailable');
}

/** Returns whether the authority understood the request and refused it, so that repeating the request does not help. */
function isDefinite({ type, status }: AcmeProblem): boolean {
  const fromServer = status !== null && status >= 400 && status < 500;
  return fromServer && status !== 404 && status !== 408 && type !== 'badNonce';
}

/**
 * Returns whether a request in the middle of an order may succeed later. An authority has many servers, and one of them may not know the
 * order yet. It may also be that an earlier copy of the request already took effect, which servers report as `malformed` or
 * `orderNotReady`.
 */
export function mayPass(problem: AcmeProblem): boolean {
  const { type, status } = problem;
  return !isDefinite(problem) || status === 429 || type === 'malformed' || type === 'orderNotReady';
}

/**
 * Returns true if the authority refuses only the order's `replaces` (RFC 9773 section 5). The order is then sent again without `replaces`.
 */
export function refusesReplacement({ type, status }: AcmeProblem): boolean {
  return (
    type === 'alreadyReplaced' ||
    (status !== null &&
      status >= 400 &&
      status < 500 &&
      status !== 429 &&
      (type === null || type === 'malformed'))
  );
}

/** Returns the hostnames for which the authority reported a subproblem. */
export function problemNames({ subproblems }: AcmeProblem): string[] {
  return subproblems.flatMap(({ name }) => (name === null ? [] : [name]));
}

/**
 * The text of boulder (wfe2/wfe.go) for paused names. Boulder pauses names that have failed for weeks, until the account's owner opens a
 * link in the text. The problem's type is `rateLimited`, but waiting does not help.
 */
const PAUSED = 'temporarily prevented from requesting certificates';

const REASONS_OF: Record<'order' | 'request' | 'challenge', ReadonlyMap<string, CertificateReason>> = {
  order: new Map([['malformed', 'ca_rejected']]),
  request: new Map(),
  // step-ca reports a wrong response to a challenge as `rejectedIdentifier`. Caddy's CA does so too, because it is built on step-ca.
  challenge: new Map([
    ['unauthorized', 'ca_challenge_failed'],
    ['rejectedIdentifier', 'ca_challenge_failed'],
  ]),
};

/** Error types of RFC 8555 section 6.7. Types that are not listed concern only our account or the authority, so the operator has to act. */
const REASONS: ReadonlyMap<string, CertificateReason> = new Map([
  ['caa', 'caa_forbids'],
  ['rateLimited', 'ca_rate_limited'],
  ['connection', 'ca_challenge_failed'],
  ['dns', 'ca_challenge_failed'],
  ['incorrectResponse', 'ca_challenge_failed'],
  ['tls', 'ca_challenge_failed'],
  ['rejectedIdentifier', 'ca_rejected'],
  ['unsupportedIdentifier', 'ca_rejected'],
  ['badCSR', 'ca_rejected'],
]);
