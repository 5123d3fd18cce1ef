import type { Instant } from '../instant.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** A problem that a certificate authority reported (RFC 8555 section 6.7), or a request without a valid response. */
export interface AcmeProblem {
  /** HTTP status; null if no response came. */
  status: number | null;
  /** Error type without `urn:ietf:params:acme:error:`; null if the response named none. */
  type: string | null;
  /** The authority's own words, which are untrusted text. */
  detail: string;
  /** When the authority allows the next request; null if it did not say. */
  retryAt: Instant | null;
  /** The problems of single names, if the authority reported them separately (RFC 8555 section 6.7.1). */
  subproblems: readonly { type: string | null; detail: string; name: string | null }[];
}

/**
 * Maps a problem to the reason that the customer sees.
 * @param of what failed: one of our requests, or the authority's validation of a challenge. For a request, `unauthorized` means that our
 * account is at fault. For a challenge, it means that the hostname is.
 */
export function problemReason(problem: AcmeProblem, of: 'request' | 'challenge'): CertificateReason {
  const { type, status, subproblems } = problem;
  if (type === 'compound') {
    const [first] = subproblems;
    return first === undefined ? 'ca_rejected' : problemReason({ ...problem, ...first, subproblems: [] }, of);
  }
  if (status === 429) return 'ca_rate_limited';
  const known =
    type === null ? undefined : ((of === 'challenge' ? CHALLENGE.get(type) : undefined) ?? REASONS.get(type));
  return known ?? 'ca_unavailable';
}

/** Returns true if the authority refuses only the order's `replaces` (RFC 9773 section 5). The order is then sent again without it. */
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

/** Returns the names that the problem is about, if the authority listed them. */
export function problemNames({ subproblems }: AcmeProblem): string[] {
  return subproblems.flatMap(({ name }) => (name === null ? [] : [name]));
}

/** step-ca, and Caddy's CA, which is built on it, report a wrong response to a challenge as `rejectedIdentifier`. */
const CHALLENGE: ReadonlyMap<string, CertificateReason> = new Map([
  ['unauthorized', 'ca_challenge_failed'],
  ['rejectedIdentifier', 'ca_challenge_failed'],
]);

/** Error types of RFC 8555 section 6.7. The types that are not listed concern only the authority and us, so the customer can only wait. */
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
