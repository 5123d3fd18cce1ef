import { isUnder } from '../../domains/hostname.ts';
import { caaVerdict } from '../caa.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup } from '../dns-survey.ts';
import { panelName } from './at-hostname.ts';
import { weigh } from './evidence.ts';

/**
 * Reports CAA records that forbid our certificate authorities to issue. Ignores `accounturi` and `validationmethods`, because the account
 * and the method are not known yet.
 */
export function findCaaFaults(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { hostname, registrable, caaIssuers } = expectation;
  if (survey.probes.caa.length === 0) return [];
  const order = { method: null, accountUri: null, wildcard: false };
  const verdict = caaVerdict(survey.probes.caa, hostname, caaIssuers, order);
  if (verdict.allowed) return [];
  const { code, at, found } = verdict;
  // If the hostname's CNAME has to change anyway, the CAA records of its current target do not matter.
  const { wrong } = weigh(survey, expectation);
  const leadsOn = wrong.some(({ a }) => a.records.some(({ type }) => type === 'CNAME'));
  const isBehind = !isUnder(at, registrable) || (leadsOn && at === hostname && code === 'caa_lookup_failed');
  if (isBehind && wrong.length > 0) return [];
  const record = { type: 'CAA', name: panelName(at, survey, expectation) };
  if (code === 'caa_lookup_failed') return [makeFinding(code, record, { found })];
  return [makeFinding(code, record, { expected: `0 issue "${caaIssuers[0] ?? ''}"`, found })];
}

/** Reports a CNAME at `_acme-challenge` that leads to another provider. Ignores a CNAME that comes from a wildcard or a DNAME. */
export function findAcmeChallenge(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { acmeChallenge, doubledWildcard } = survey.probes;
  const found = firstTarget(acmeChallenge);
  if (acmeChallenge === null || found === null || found === firstTarget(doubledWildcard)) return [];
  if (isAlongWithHostname(found, survey)) return [];
  if (expectation.targets.some((target) => isUnder(found, target))) return [];
  const record = { type: 'CNAME', name: panelName(acmeChallenge.name, survey, expectation) };
  return [makeFinding('dns_acme_challenge_conflict', record, { found })];
}

/** Returns true if a DNAME (RFC 6672) at or above the hostname redirects both the hostname and the `_acme-challenge` name. */
function isAlongWithHostname(found: string, { authorities, resolvers }: DnsSurvey): boolean {
  const targets = [...authorities, ...resolvers].map(({ a }) => firstTarget(a));
  return targets.some((target) => target !== null && found === `_acme-challenge.${target}`);
}

function firstTarget(lookup: Lookup | null): string | null {
  return lookup?.records.find(({ type }) => type === 'CNAME')?.value ?? null;
}
