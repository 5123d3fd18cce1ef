import type { Reason } from '../reason.ts';

const ca = { group: 'ca', severity: 'error', retryable: true } as const;

/** Why a certificate could not be obtained or renewed (`docs/domains.md`), the nearest to the cause first. */
export const CERTIFICATE_REASONS = {
  caa_forbids: {
    ...ca,
    retryable: false,
    title: 'CAA records forbid the certificate',
    meaning:
      'The CAA records of the hostname, of a domain above it, or of its CNAME target allow other certificate authorities only.',
    hint: 'Add a CAA record that allows our certificate authority[ at {name}][: {expected}]. Keep those that are there[: {found}].',
    expected: 'a CAA record that allows our certificate authority',
  },
  caa_lookup_failed: {
    ...ca,
    title: 'The CAA records cannot be read',
    meaning:
      'The DNS servers fail when asked for CAA records, and a certificate authority must take that for a no (RFC 8659).',
    hint: 'Ask the DNS provider why its servers fail when asked for CAA records[ at {name}]. We try again by ourselves.',
    expected: 'an answer to the CAA query, an empty one included',
  },
  ca_rejected: {
    ...ca,
    retryable: false,
    title: 'The certificate authority refuses the hostname',
    meaning: 'The certificate authority does not issue for this name by its own policy.',
    hint: 'Contact support[; the certificate authority says: {found}].',
    expected: 'a name that the certificate authority issues for',
  },
  ca_challenge_failed: {
    ...ca,
    title: 'The certificate authority could not reach the hostname',
    meaning:
      'The certificate authority looks from several places in the world, and not all of them reached us under the hostname.',
    hint: 'Check that the hostname points only to us[ ({expected})] from everywhere, and that no firewall or country filter is in between[. Found: {found}].',
    expected: 'our edge, from everywhere',
  },
  ca_rate_limited: {
    ...ca,
    severity: 'warning',
    title: 'The certificate authority asks to wait',
    meaning: 'The certificate authority limits how many certificates it issues for one domain in a period.',
    hint: 'Nothing to do: we try again by ourselves[ after {wait}].',
    expected: 'room within the limits of the certificate authority',
  },
  ca_unavailable: {
    ...ca,
    severity: 'warning',
    title: 'The certificate authority does not answer',
    meaning: 'The certificate authority failed or did not answer in time.',
    hint: 'Nothing to do: we try again by ourselves.',
    expected: 'an answer of the certificate authority',
  },
  edge_not_ready: {
    ...ca,
    severity: 'warning',
    title: 'Our edge is not ready for the certificate',
    meaning:
      'We look at our own edge before the certificate authority does, and again before the domain is active. It did not show what it should, and the authority was not asked.',
    hint: 'Nothing to do: the fault is ours, and we try again by ourselves.',
    expected: 'our edge, ready for the hostname',
  },
} as const satisfies Record<string, Reason>;

export type CertificateReason = keyof typeof CERTIFICATE_REASONS;
