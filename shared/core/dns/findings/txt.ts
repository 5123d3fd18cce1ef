import { isDefinite } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, SeenRecord } from '../dns-survey.ts';
import { panelName, recordsAtHostname } from './at-hostname.ts';
import { seenIn, weigh } from './evidence.ts';
import { needsAddresses } from './expected-record.ts';

/**
 * Reports a missing or wrong TXT record that proves ownership. A hostname that cannot have a CNAME always needs this record. Any other
 * hostname needs it if it has our addresses but no CNAME to us (`docs/domains.md`, records).
 */
export function findTxtFaults(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { txtName, txt_value, txtRequired } = expectation;
  if (!txtRequired) return [];
  const needed = needsAddresses(survey, expectation);
  const record = { type: 'TXT', name: panelName(txtName, survey, expectation) };
  return weigh(survey, expectation).wrong.flatMap((view) => {
    const { reaches, ours } = seenIn(view, expectation);
    const askedFor = needed || (ours.length > 0 && !reaches);
    if (!askedFor || view.txt === null || !isDefinite(view.txt)) return [];
    const values = view.txt.records.filter(({ type }) => type === 'TXT').map(({ value }) => value);
    if (values.includes(txt_value)) return [];
    if (values.length === 0) {
      const found = misplacedProof(survey, expectation)?.name ?? null;
      return [makeFinding('dns_txt_missing', record, { expected: txt_value, found })];
    }
    const facts = { expected: txt_value, found: values.join(', ') };
    return [makeFinding('dns_txt_mismatch', record, facts)];
  });
}

/**
 * Returns the TXT record that has the right value at a wrong name: the hostname itself, or a name with the domain doubled. Returns null if
 * there is none.
 */
export function misplacedProof(survey: DnsSurvey, expectation: DnsExpectation): SeenRecord | null {
  const doubled = survey.probes.doubledTxt?.records ?? [];
  const records = [...doubled, ...recordsAtHostname(survey, expectation)];
  return records.find(({ type, value }) => type === 'TXT' && isMeant(value, expectation)) ?? null;
}

/**
 * Returns whether a value is the TXT value that proves ownership. Ignores quotation marks and spaces that were entered around the value.
 */
export function isMeant(value: string, { txt_value }: Pick<DnsExpectation, 'txt_value'>): boolean {
  return value.replace(/^(?:\\\d{3}|[\s"'\\])+|(?:\\\d{3}|[\s"'\\])+$/g, '') === txt_value;
}
