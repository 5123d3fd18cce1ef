import { canonicalAddress, isLabel } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, SeenRecord } from '../dns-survey.ts';
import { panelName, recordsAtHostname } from './at-hostname.ts';
import { weigh } from './evidence.ts';
import { needsAddresses } from './expected-record.ts';

/**
 * Reports HTTPS records that lead browsers elsewhere. Reports nothing if the hostname still needs a CNAME, because the changes that add the
 * CNAME remove these records too.
 */
export function findForeignHttps(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const records = foreignHttps(survey, expectation);
  const getsCname = weigh(survey, expectation).wrong.length > 0 && !needsAddresses(survey, expectation);
  if (records.length === 0 || getsCname) return [];
  const record = { type: 'HTTPS', name: panelName(expectation.hostname, survey, expectation) };
  return [
    makeFinding('dns_https_elsewhere', record, { found: records.map(({ value }) => value).join(', ') }),
  ];
}

/**
 * Returns the HTTPS records of the hostname that name another server, port or address, or contain a key for Encrypted Client Hello (RFC
 * 9460). Our edge lacks the private key, so it could not read the hostname in the handshake. Returns no records behind a proxy, because the
 * proxy's operator then publishes them.
 */
export function foreignHttps(survey: DnsSurvey, expectation: DnsExpectation): SeenRecord[] {
  const { proxies = [], silentProxies = [] } = expectation;
  if (proxies.length + silentProxies.length > 0) return [];
  return recordsAtHostname(survey, expectation).filter(
    ({ type, value }) => type === 'HTTPS' && leadsElsewhere(value, expectation),
  );
}

function leadsElsewhere(value: string, expectation: DnsExpectation): boolean {
  const { hostname, targets, edgeIpv4, edgeIpv6 } = expectation;
  const [priority, target = '.', ...parameters] = value.split(' ');
  const isHere = target === '.' ? priority !== '0' : [hostname, ...targets].includes(target);
  if (!isHere && !isLabel(target, expectation)) return true;
  const edge = [...edgeIpv4, ...edgeIpv6].map(canonicalAddress);
  return parameters.some((parameter) => {
    const [key, text = ''] = parameter.split('=');
    if (key === 'port') return text !== '443';
    const isHint = edge.length > 0 && (key === 'ipv4hint' || key === 'ipv6hint');
    return (
      key === 'ech' || (isHint && !text.split(',').every((each) => edge.includes(canonicalAddress(each))))
    );
  });
}
