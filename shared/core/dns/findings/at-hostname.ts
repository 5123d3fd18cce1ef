import { isUnder } from '../../domains/hostname.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup, SeenRecord } from '../dns-survey.ts';
import { weigh } from './evidence.ts';

/** Types that may exist next to a CNAME, because DNSSEC adds them (RFC 4034 section 3). SOA and NS are reported as `dns_apex_cname`. */
export const MAY_STAND_BESIDE_CNAME: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'SOA', 'NS']);

/**
 * Returns the records at the hostname itself, one list for each server. A cache can hold an old and a new record at once, so resolvers are
 * included only if no authoritative server was asked.
 */
export function recordsByServer(survey: DnsSurvey, { hostname }: DnsExpectation): SeenRecord[][] {
  const views = survey.authorities.length > 0 ? survey.authorities : survey.resolvers;
  const lookedUp: Lookup[] = [...survey.probes.besideCname];
  for (const { a, aaaa } of views) lookedUp.push(a, ...(aaaa === null ? [] : [aaaa]));
  const caches = new Set(survey.authorities.length > 0 ? survey.resolvers.map(({ server }) => server) : []);
  const byServer = new Map<string, SeenRecord[]>();
  for (const { server, records } of lookedUp) {
    if (caches.has(server)) continue;
    const here = records.filter(({ name }) => name === hostname);
    byServer.set(server, [...(byServer.get(server) ?? []), ...here]);
  }
  return [...byServer.values()];
}

/**
 * Returns the records that the zone has at the hostname, without SOA, NS and the records of DNSSEC. Returns an empty list if the records
 * come from a wildcard, because the zone then has no records at this name (RFC 4592 section 2.1.1).
 */
export function recordsAtHostname(survey: DnsSurvey, expectation: DnsExpectation): SeenRecord[] {
  const byContent = new Map<string, SeenRecord>();
  for (const record of recordsByServer(survey, expectation).flat()) {
    if (!MAY_STAND_BESIDE_CNAME.has(record.type)) byContent.set(`${record.type} ${record.value}`, record);
  }
  const records = [...byContent.values()];
  return isFromWildcard(records, survey) ? [] : records;
}

/** Returns true if the records come from a wildcard: a random name below the hostname has the same record. */
function isFromWildcard(records: readonly SeenRecord[], { probes }: DnsSurvey): boolean {
  const [below] = probes.belowHostname?.records ?? [];
  return (
    below !== undefined && records.some(({ type, value }) => type === below.type && value === below.value)
  );
}

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

/**
 * Returns a name as the DNS panel of its zone expects it: `@` for the zone itself, else the labels before the zone. Returns a name outside
 * the customer's zones as it is.
 */
export function panelName(name: string, survey: DnsSurvey, expectation: DnsExpectation): string {
  const zone = panelZone(name, survey, expectation);
  if (name === zone) return '@';
  return zone === null ? name : name.slice(0, -zone.length - 1);
}

/**
 * Returns the zone in whose DNS panel the customer edits a name: the registrable domain, or a zone delegated below it. Returns null for a
 * name outside both zones.
 */
export function panelZone(
  name: string,
  { delegation }: DnsSurvey,
  { registrable }: DnsExpectation,
): string | null {
  const cut = delegation?.zone ?? registrable;
  if (isUnder(cut, registrable) && isUnder(name, cut)) return cut;
  return isUnder(name, registrable) ? registrable : null;
}
