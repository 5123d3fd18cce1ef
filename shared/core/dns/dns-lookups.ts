import type { DnsSurvey, Lookup, NameView } from './dns-survey.ts';

/** A look-up with who was asked: a server of the zone itself, a public resolver, or either to find out more. */
export interface AskedLookup extends Lookup {
  asked: 'authority' | 'resolver' | 'probe';
}

/** What stands in a survey, in the order in which it tells: the zone's word, what the world sees, then what explains them. */
export function lookupsOf({ authorities, resolvers, probes }: DnsSurvey): AskedLookup[] {
  const own = authorities.flatMap(lookupsOfView);
  const { doubled_host, doubled_wildcard, acme_challenge, unvalidated, beside_cname, caa } = probes;
  const beside = beside_cname.filter((each) => !own.some((other) => isSameQuestion(each, other)));
  return [
    ...asked('authority', own),
    ...asked('resolver', resolvers.flatMap(lookupsOfView)),
    ...asked('probe', [...beside, doubled_host, doubled_wildcard, acme_challenge, unvalidated, ...caa]),
  ];
}

/** Whoever owns the zone writes the answers: there is a bound on what is passed on of each. */
const RECORDS_MAX = 32;

function asked(who: AskedLookup['asked'], lookups: readonly (Lookup | null)[]): AskedLookup[] {
  return lookups
    .filter((lookup) => lookup !== null)
    .map((lookup) => ({ ...lookup, asked: who, records: lookup.records.slice(0, RECORDS_MAX) }));
}

function lookupsOfView({ a, aaaa, txt }: NameView): Lookup[] {
  return [a, aaaa, txt].filter((lookup) => lookup !== null);
}

function isSameQuestion(one: Lookup, other: Lookup): boolean {
  return one.server === other.server && one.name === other.name && one.type === other.type;
}
