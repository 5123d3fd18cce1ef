import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { weigh } from './evidence.ts';
import { expectedRecord } from './expected-record.ts';
import { makeFinding } from './make-finding.ts';
import { leadsToUs } from './seen.ts';

/**
 * Reports our record if it is one domain too deep. If a random label there leads to us as well, a wildcard is the cause, and nothing was
 * mistyped.
 */
export function findDoubledHost(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { doubledHost, doubledWildcard } = survey.probes;
  if (doubledHost === null || doubledWildcard === null || doubledWildcard.outcome === 'unknown') return [];
  if (weigh(survey, expectation).wrong.length === 0) return [];
  if (!leadsToUs(doubledHost, expectation) || leadsToUs(doubledWildcard, expectation)) return [];
  const { type, name, value } = expectedRecord(survey, expectation);
  const facts = { expected: value, found: doubledHost.name };
  return [makeFinding('dns_doubled_host', { type, name }, facts)];
}
