import type { Diagnosis } from '../../shared/schema/diagnosis.ts';

/** The place to which a name server or a resolver sends the visitors of a hostname. */
export type LeadsTo = 'edge' | 'elsewhere' | 'nowhere' | 'blocked' | 'unknown';

export interface ServerAnswer {
  leads: LeadsTo;
  /** The longest time in seconds for which the server's answer may stay in a cache; null if it is not known. */
  ttlS: number | null;
}

/** The CNAME targets and the IP addresses of the edge. */
export interface EdgeNames {
  targets: readonly string[];
  addresses: readonly string[];
}

type Lookup = Diagnosis['lookups'][number];

/** Returns a map from the name of each name server and resolver to the place where its answers send visitors. */
export function serverAnswers(
  { hostname, lookups }: Pick<Diagnosis, 'hostname' | 'lookups'>,
  edge: EdgeNames,
): Map<string, ServerAnswer> {
  const asked = lookups.filter(
    ({ asked, name, type }) => asked !== 'probe' && name === hostname && (type === 'A' || type === 'AAAA'),
  );
  const byServer = Map.groupBy(asked, ({ server }) => server);
  return new Map([...byServer].map(([server, own]) => [server, answerOf(own, edge)]));
}

function answerOf(lookups: readonly Lookup[], edge: EdgeNames): ServerAnswer {
  const records = lookups.flatMap((lookup) => lookup.records);
  const ttls = [
    ...records.map(({ ttl_s }) => ttl_s),
    ...lookups.flatMap(({ negative_ttl_s, records }) =>
      negative_ttl_s === null || records.length > 0 ? [] : [negative_ttl_s],
    ),
  ];
  return { leads: leadsTo(lookups, edge), ttlS: ttls.length === 0 ? null : Math.max(...ttls) };
}

/** Returns `edge` only if every address of the answer is the edge's, because a visitor may connect to any of them. */
function leadsTo(lookups: readonly Lookup[], { targets, addresses }: EdgeNames): LeadsTo {
  const records = lookups.flatMap((lookup) => lookup.records);
  if (records.some(({ type, value }) => type === 'CNAME' && targets.includes(value))) return 'edge';
  const found = records.filter(({ type }) => type === 'A' || type === 'AAAA').map(({ value }) => value);
  if (found.length > 0) return found.every((value) => addresses.includes(value)) ? 'edge' : 'elsewhere';
  if (records.length > 0) return 'elsewhere';
  if (lookups.some(({ failure }) => failure === 'blocked')) return 'blocked';
  return lookups.some(({ outcome }) => outcome === 'unknown') ? 'unknown' : 'nowhere';
}
