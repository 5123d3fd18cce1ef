import { isDefinite } from '../dns-confirmation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup, NameView } from '../dns-survey.ts';
import { brokenLink } from '../trust-chain.ts';

/**
 * Reports DNSSEC signatures that do not validate. A resolver then responds with SERVFAIL and an extended error (RFC 8914), or gives an
 * answer as soon as it is asked not to validate. If as many resolvers answer as fail, the fault is assumed to be at the resolvers. If no
 * resolver was asked, only a DS record without its key is certain to be wrong.
 */
export function findInvalidDnssec(survey: DnsSurvey): Finding[] {
  const { resolvers, probes } = survey;
  const link = brokenLink(survey);
  if (resolvers.length === 0 && link !== null) {
    const found = link.ds.map(({ value }) => `DS ${value}`).join(', ');
    return [makeFinding('dnssec_invalid', null, { found })];
  }
  const answersUnvalidated = probes.unvalidated !== null && probes.unvalidated.outcome !== 'unknown';
  const failed = resolvers.filter(({ a }) => a.failure === 'servfail');
  const told = failed.filter((view) => dnssecErrors(view).length > 0);
  const bogus = answersUnvalidated ? failed : told;
  const answered = resolvers.filter(({ a }) => isDefinite(a));
  if (bogus.length === 0 || bogus.length <= answered.length) return [];
  const errors = [...new Set(told.flatMap(dnssecErrors))].map((code) => `${ERRORS.get(code)} (EDE ${code})`);
  return [makeFinding('dnssec_invalid', null, { found: ['SERVFAIL', ...errors].join(', ') })];
}

/** INFO-CODEs of RFC 8914 section 4 that blame the zone's signatures. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [6, 'DNSSEC Bogus'],
  [7, 'Signature Expired'],
  [9, 'DNSKEY Missing'],
  [10, 'RRSIGs Missing'],
]);

function dnssecErrors({ a, aaaa, txt }: NameView): number[] {
  const failed = [a, aaaa, txt].filter((lookup): lookup is Lookup => lookup?.failure === 'servfail');
  return failed.flatMap(({ ede }) => ede).filter((code) => ERRORS.has(code));
}
