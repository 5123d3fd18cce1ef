import type { Reason } from '../reasons.ts';

const ca = { group: 'ca', severity: 'error', retryable: true } as const;

/** Reasons why a certificate cannot be obtained or renewed (`docs/domains.md`). Reasons closer to the cause come first. */
export const CERTIFICATE_REASONS = {
  caa_forbids: {
    ...ca,
    retryable: false,
    title: 'CAA records forbid the certificate',
    short: 'CAA forbids our certificate',
    meaning:
      'The CAA records of the hostname, of a domain above it, or of its CNAME target allow only other certificate authorities.',
    hint: 'Add a CAA record that allows our certificate authority[ at {name}][: {expected}]. Keep the existing records[: {found}].',
    expected: 'a CAA record that allows our certificate authority',
  },
  caa_lookup_failed: {
    ...ca,
    title: 'The CAA records cannot be read',
    short: 'CAA cannot be read',
    meaning:
      'The DNS servers fail when asked for CAA records. A certificate authority must treat that as a refusal (RFC 8659).',
    hint: 'Ask the DNS provider why its servers fail when asked for CAA records[ at {name}]. We retry automatically.',
    expected: 'a response to the CAA query, even an empty one',
  },
  ca_rejected: {
    ...ca,
    retryable: false,
    title: 'The certificate authority refuses the hostname',
    short: 'The authority refuses the name',
    meaning: 'The policy of the certificate authority does not allow a certificate for this name.',
    hint: 'Contact support[; the certificate authority says: {found}].',
    expected: 'a name that the certificate authority issues for',
  },
  ca_refused: {
    ...ca,
    title: 'The certificate authority refuses our request',
    short: 'The authority refuses us',
    meaning:
      'The certificate authority wants the operator of the service to act first. For example, it has paused the hostname after many failures, or it does not accept the account of the operator.',
    hint: 'Contact support: the operator of the service has to act. We retry automatically.',
    expected: 'a certificate authority that accepts our request',
  },
  proxy_https_failed: {
    ...ca,
    title: 'HTTPS fails at the proxy',
    short: 'HTTPS fails at the proxy',
    meaning:
      'Plain HTTP leads to us through a proxy, but HTTPS gives visitors an error. Either the certificate of the proxy is not valid for the hostname, or the proxy cannot reach us by HTTPS.',
    hint: 'Give the proxy a valid certificate for the hostname, and let it reach us by HTTPS with the hostname as server name (SNI)[. Found: {found}].',
    expected: 'HTTPS through the proxy',
  },
  ca_challenge_failed: {
    ...ca,
    title: 'The certificate authority could not reach the hostname',
    short: 'The authority cannot reach it',
    meaning:
      'The certificate authority connects from several places in the world. Some of its connections to the hostname did not reach us.',
    hint: 'Check that the hostname points only to us[ ({expected})] everywhere, and that no firewall or country filter blocks the way[. Found: {found}].',
    expected: 'our edge, from everywhere',
  },
  ca_rate_limited: {
    ...ca,
    severity: 'warning',
    title: 'The certificate authority asks us to wait',
    short: 'The authority asks us to wait',
    meaning: 'The certificate authority limits how many certificates it issues for one domain in a period.',
    hint: 'No action needed: we retry automatically[ after {wait}].',
    expected: 'a request within the limits of the certificate authority',
  },
  ca_unavailable: {
    ...ca,
    severity: 'warning',
    title: 'The certificate authority does not respond',
    short: 'The authority is not reachable',
    meaning: 'The certificate authority failed or did not respond in time.',
    hint: 'No action needed: we retry automatically.',
    expected: 'a response from the certificate authority',
  },
  edge_not_ready: {
    ...ca,
    severity: 'warning',
    title: 'Our edge is not ready for the certificate',
    short: 'Our edge is not ready yet',
    meaning:
      'We check our own edge before the certificate authority does, and again before the domain is active. The edge did not serve what it should, so we have not continued.',
    hint: 'No action needed: the fault is ours, and we retry automatically.',
    expected: 'our edge, ready for the hostname',
  },
} as const satisfies Record<string, Reason>;

export type CertificateReason = keyof typeof CERTIFICATE_REASONS;
