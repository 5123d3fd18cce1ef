import { isUnder } from '../../domains/hostname.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup } from '../dns-survey.ts';
import { makeFinding } from './make-finding.ts';
import { panelName } from './panel-name.ts';

/** Reports a CNAME at `_acme-challenge` that leads to another provider. Ignores one that comes from a wildcard or a DNAME. */
export function findAcmeChallenge(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { acmeChallenge, doubledWildcard } = survey.probes;
  const found = firstTarget(acmeChallenge);
  if (acmeChallenge === null || found === null || found === firstTarget(doubledWildcard)) return [];
  if (isAlongWithHostname(found, survey)) return [];
  if (expectation.targets.some((target) => isUnder(found, target))) return [];
  const record = { type: 'CNAME', name: panelName(acmeChallenge.name, survey, expectation) };
  return [makeFinding('dns_acme_challenge_conflict', record, { found })];
}

/** Returns true if a DNAME (RFC 6672) at or above the hostname redirects `_acme-challenge` and the hostname alike. */
function isAlongWithHostname(found: string, { authorities, resolvers }: DnsSurvey): boolean {
  const targets = [...authorities, ...resolvers].map(({ a }) => firstTarget(a));
  return targets.some((target) => target !== null && found === `_acme-challenge.${target}`);
}

function firstTarget(lookup: Lookup | null): string | null {
  return lookup?.records.find(({ type }) => type === 'CNAME')?.value ?? null;
}
