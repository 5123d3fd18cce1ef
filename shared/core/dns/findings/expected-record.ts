import { findProvider } from '../../providers/providers.ts';
import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { panelName, recordsAtHostname } from './at-hostname.ts';
import { nameServers } from './zone.ts';

export interface ExpectedRecord {
  type: 'A' | 'AAAA' | 'CNAME';
  /** Name as a DNS panel expects it. */
  name: string;
  value: string;
}

/**
 * Returns the record that points the hostname to us (`docs/domains.md`, records): a CNAME or, if the hostname cannot have one, addresses.
 */
export function expectedRecord(survey: DnsSurvey, expectation: DnsExpectation): ExpectedRecord {
  const name = panelName(expectation.hostname, survey, expectation);
  const { targets, edgeIpv4, edgeIpv6 } = expectation;
  if (!needsAddresses(survey, expectation)) return { type: 'CNAME', name, value: targets[0] ?? '' };
  const type = neededAddressType(expectation);
  return { type, name, value: (type === 'A' ? edgeIpv4 : edgeIpv6).join(', ') };
}

/**
 * Returns true if the hostname cannot have a CNAME (RFC 1034 section 3.6.2). A name at the top of a zone cannot have one, unless the
 * provider offers a substitute. A name with records of other types, such as MX, cannot have one either.
 */
export function needsAddresses(survey: DnsSurvey, expectation: DnsExpectation): boolean {
  const { hostname, is_apex, edgeIpv4, edgeIpv6 } = expectation;
  if (is_apex) return true;
  if (edgeIpv4.length + edgeIpv6.length === 0) return false;
  const isZone = survey.delegation?.zone === hostname;
  const provider = findProvider(nameServers(survey.delegation));
  if (isZone && provider?.apex === undefined) return true;
  const types = new Set(recordsAtHostname(survey, expectation).map(({ type }) => type));
  return !types.has('CNAME') && [...types].some((type) => !POINTING.has(type));
}

/** The record types that a new CNAME would replace. */
const POINTING: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'HTTPS']);

/** Lists all addresses of the edge, for names that cannot have a CNAME. */
export function ourAddresses({ edgeIpv4, edgeIpv6 }: DnsExpectation): string {
  return [...edgeIpv4, ...edgeIpv6].join(', ');
}
