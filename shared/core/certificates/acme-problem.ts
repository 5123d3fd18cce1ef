import type { Instant } from '../instant.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** What a certificate authority objects to (RFC 8555 section 6.7), or how it failed to answer. */
export interface AcmeProblem {
  /** Of HTTP; null where no answer came. */
  status: number | null;
  /** Without `urn:ietf:params:acme:error:`; null where it named none. */
  type: string | null;
  /** The authority's own words. */
  detail: string;
  /** When it may be asked again, where it said so. */
  retry_at: Instant | null;
  /** Names that it is about, where it told them apart (RFC 8555 section 6.7.1). */
  subproblems: readonly { type: string | null; detail: string; name: string | null }[];
}

/**
 * What a problem is to the customer.
 * @param of a request of ours, or the challenge that the authority tried: `unauthorized` is our account's fault there, and the
 * hostname's here.
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

/** A refusal of the order's `replaces`, not of the order (RFC 9773 section 5): it is tried once more without. */
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

/** The names that the problem is about, where it says. */
export function problemNames({ subproblems }: AcmeProblem): string[] {
  return subproblems.flatMap(({ name }) => (name === null ? [] : [name]));
}

/** step-ca, and so Caddy, reports a wrong response to a challenge as `rejectedIdentifier`. */
const CHALLENGE: ReadonlyMap<string, CertificateReason> = new Map([
  ['unauthorized', 'ca_challenge_failed'],
  ['rejectedIdentifier', 'ca_challenge_failed'],
]);

/** RFC 8555 section 6.7. What is not here is between the authority and us: the customer can only wait. */
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
