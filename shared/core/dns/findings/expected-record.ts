import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { panelName } from './panel-name.ts';

export interface ExpectedRecord {
  type: 'A' | 'AAAA' | 'CNAME';
  /** As a DNS panel takes it. */
  name: string;
  value: string;
}

/** The record that points the hostname to us (`docs/domains.md`, records): a CNAME below an apex, addresses at one. */
export function expectedRecord(survey: DnsSurvey, expectation: DnsExpectation): ExpectedRecord {
  const name = panelName(expectation.hostname, survey, expectation);
  const { is_apex, targets, edge_ipv4, edge_ipv6 } = expectation;
  if (!is_apex) return { type: 'CNAME', name, value: targets[0] ?? '' };
  const type = neededAddressType(expectation);
  return { type, name, value: (type === 'A' ? edge_ipv4 : edge_ipv6).join(', ') };
}

/** All the addresses of ours, as they are told where no CNAME may stand. */
export function ourAddresses({ edge_ipv4, edge_ipv6 }: DnsExpectation): string {
  return [...edge_ipv4, ...edge_ipv6].join(', ');
}
