import { isCloudflareAddress } from '../../edge/cloudflare-addresses.ts';
import { HOPS, type Hop, type PublicPath } from '../../public-path/public-path.ts';
import type { ReasonCode } from '../../reasons.ts';
import { isDefinite } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { expectedRecord } from './expected-record.ts';

/**
 * Reports a proxy between visitors and our edge, if the survey has a probe. A fault of the proxy is reported only if the hostname is meant
 * to lead to us: a request of the probe reached our edge, or the TXT record exists. Every apex needs the TXT record, so at an apex all
 * addresses must also be Cloudflare's.
 */
export function findProxyFaults(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { path } = survey;
  if (path === undefined) return [];
  const mayBeProxy = !expectation.is_apex || path.addresses.every(isCloudflareAddress);
  const code = codeOf(path, mayBeProxy && hasTxt(survey, expectation));
  if (code === null) return [];
  const { type, name } = expectedRecord(survey, expectation);
  const found = `${HOPS[path.hop]} (${path.addresses.join(', ')})`;
  return [makeFinding(code, { type, name }, { found })];
}

function codeOf(
  { hop, leads_here, reaches_edge, https_fails }: PublicPath,
  hasProof: boolean,
): ReasonCode | null {
  if (leads_here) return 'proxy_leads_here';
  if (!reaches_edge && !hasProof) return null;
  return https_fails ? 'proxy_https_failed' : FAULTS[hop];
}

/** The finding for each result of a probe; null if no proxy is at fault. Other detectors report `elsewhere` as a wrong record. */
const FAULTS: Readonly<Record<Hop, ReasonCode | null>> = {
  direct: null,
  proxied: null,
  tls_ended: null,
  elsewhere: null,
  flexible: 'proxy_plain_http',
  looping: 'proxy_misdirects',
  redirected: 'proxy_misdirects',
  path_rewritten: 'proxy_misdirects',
  host_rewritten: 'proxy_misdirects',
  cached: 'proxy_misdirects',
  headers_stripped: 'proxy_misdirects',
  partial: 'proxy_misdirects',
  unreachable: 'proxy_unreachable',
};

function hasTxt({ authorities, resolvers }: DnsSurvey, { txt_value }: DnsExpectation): boolean {
  return [...authorities, ...resolvers].some(
    ({ txt }) => txt !== null && isDefinite(txt) && txt.records.some(({ value }) => value === txt_value),
  );
}
