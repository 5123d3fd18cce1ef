import { placedChanges } from '../changes/finding-changes.ts';
import { setRecords } from '../changes/record-change.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, SeenRecord } from '../dns-survey.ts';
import { panelName } from './at-hostname.ts';

/**
 * Reports that another domain in our service has the hostname, although the DNS records identify this domain too. The changes remove the
 * TXT values of the other domains.
 */
export function findRival(survey: DnsSurvey, expectation: DnsExpectation): Finding {
  const { txtName, txt_value } = expectation;
  const others = otherProofs(survey, expectation);
  const record = { type: 'TXT', name: panelName(txtName, survey, expectation) };
  const found = others.map(({ value }) => value).join(', ');
  const finding = makeFinding('hostname_routed_elsewhere', record, {
    expected: txt_value,
    ...(found !== '' && { found }),
  });
  const changes = setRecords(others, []);
  return { ...finding, changes: placedChanges({ at: txtName, changes }, survey, expectation) };
}

/** Returns the TXT records that identify other domains of the hostname, without duplicates. */
export function otherProofs(
  { authorities, resolvers }: Pick<DnsSurvey, 'authorities' | 'resolvers'>,
  { otherProofs: known = [] }: DnsExpectation,
): SeenRecord[] {
  const byValue = new Map<string, SeenRecord>();
  for (const { txt } of [...authorities, ...resolvers]) {
    for (const record of txt?.records ?? []) {
      if (record.type === 'TXT' && known.includes(record.value)) byValue.set(record.value, record);
    }
  }
  return [...byValue.values()];
}
