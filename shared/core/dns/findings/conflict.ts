import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { MAY_STAND_BESIDE_CNAME, recordsByServer } from './at-hostname.ts';
import { weigh } from './evidence.ts';
import { makeFinding } from './make-finding.ts';
import { panelName } from './panel-name.ts';

/** Reports a CNAME that one server returns together with other data, or with another CNAME, at the same name (RFC 1034 section 3.6.2). */
export function findConflicts(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  if (weigh(survey, expectation).wrong.length === 0) return [];
  for (const records of recordsByServer(survey, expectation)) {
    const cnames = records.filter(({ type }) => type === 'CNAME');
    const isOne = new Set(cnames.map(({ value }) => value)).size === 1;
    const rivals = isOne ? [] : cnames.filter(({ value }) => !expectation.targets.includes(value));
    const others = [
      ...rivals,
      ...records.filter(({ type }) => type !== 'CNAME' && !MAY_STAND_BESIDE_CNAME.has(type)),
    ];
    if (cnames.length > 0 && others.length > 0) {
      const found = [...new Set(others.map(({ type, value }) => `${type} ${value}`))].join(', ');
      const record = { type: 'CNAME', name: panelName(expectation.hostname, survey, expectation) };
      return [
        makeFinding('dns_conflicting_record', record, { expected: expectation.targets[0] ?? null, found }),
      ];
    }
  }
  return [];
}
