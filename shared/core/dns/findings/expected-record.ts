import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { panelName } from './panel-name.ts';

export interface ExpectedRecord {
  type: 'A' | 'AAAA' | 'CNAME';
  /** Name as a DNS panel expects it. */
  name: string;
  value: string;
}

/** Returns the record that points the hostname to us (`docs/domains.md`, records): a CNAME, or addresses at an apex. */
export function expectedRecord(survey: DnsSurvey, expectation: DnsExpectation): ExpectedRecord {
  const name = panelName(expectation.hostname, survey, expectation);
  const { is_apex, targets, edgeIpv4, edgeIpv6 } = expectation;
  if (!is_apex) return { type: 'CNAME', name, value: targets[0] ?? '' };
  const type = neededAddressType(expectation);
  return { type, name, value: (type === 'A' ? edgeIpv4 : edgeIpv6).join(', ') };
}

/** Lists all addresses of the edge, for names that cannot hold a CNAME. */
export function ourAddresses({ edgeIpv4, edgeIpv6 }: DnsExpectation): string {
  return [...edgeIpv4, ...edgeIpv6].join(', ');
}
