import { isDefinite } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { weigh } from './evidence.ts';
import { needsAddresses } from './expected-record.ts';
import { makeFinding } from './make-finding.ts';
import { panelName } from './panel-name.ts';
import { seenIn } from './seen.ts';

/**
 * Reports a missing or wrong TXT record that proves ownership. A hostname that cannot have a CNAME always needs it. Any other hostname
 * needs it if it has our addresses but no CNAME to us (`docs/domains.md`, records).
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
    if (values.length === 0) return [makeFinding('dns_txt_missing', record, { expected: txt_value })];
    const facts = { expected: txt_value, found: values.join(', ') };
    return [makeFinding('dns_txt_mismatch', record, facts)];
  });
}
