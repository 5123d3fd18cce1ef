import type { DnsSurvey, Lookup, NameView } from './dns-survey.ts';

/**
 * A lookup, and the kind of server that was asked: `authority` or `resolver`. `probe` is a lookup of `Probes`, at either kind of server.
 */
export interface AskedLookup extends Lookup {
  asked: 'authority' | 'resolver' | 'probe';
}

/** Returns the lookups of a survey in this order: at the zone's own servers, at the resolvers, then probes, which explain the results. */
export function lookupsOf({ authorities, resolvers, replaced = [], probes }: DnsSurvey): AskedLookup[] {
  const own = authorities.flatMap(lookupsOfView);
  const { besideCname, caa, trust, ...single } = probes;
  const beside = besideCname.filter((each) => !own.some((other) => isSameQuestion(each, other)));
  return [
    ...asked('authority', own),
    ...asked('resolver', [...resolvers, ...replaced].flatMap(lookupsOfView)),
    ...asked('probe', [
      ...beside,
      ...Object.values(single),
      ...caa,
      ...trust.flatMap(({ ds, keys }) => [ds, ...keys]),
    ]),
  ];
}

/** Maximum number of records of one lookup. Without it, the owner of a zone could make the result as large as they like. */
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
