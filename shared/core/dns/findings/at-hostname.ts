import type { DnsExpectation } from '../dns-expectation.ts';
import type { DnsSurvey, Lookup, SeenRecord } from '../dns-survey.ts';

/** Types that may stand beside a CNAME: those that DNSSEC adds (RFC 4034 section 3). SOA and NS are left to `dns_apex_cname`. */
export const MAY_STAND_BESIDE_CNAME: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'SOA', 'NS']);

/**
 * Returns the records at the hostname itself, one list for each server. A cache can hold an old record beside a new one, so resolvers count
 * only if no authority was asked.
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
 * Returns the records that the zone has at the hostname, without those of the zone itself and of DNSSEC. Empty if a wildcard made them,
 * because then the zone has none there (RFC 4592 section 2.1.1).
 */
export function recordsAtHostname(survey: DnsSurvey, expectation: DnsExpectation): SeenRecord[] {
  const byContent = new Map<string, SeenRecord>();
  for (const record of recordsByServer(survey, expectation).flat()) {
    if (!MAY_STAND_BESIDE_CNAME.has(record.type)) byContent.set(`${record.type} ${record.value}`, record);
  }
  const records = [...byContent.values()];
  return isFromWildcard(records, survey) ? [] : records;
}

/** Returns true if a random name below the hostname exists too, with a record of the hostname. */
function isFromWildcard(records: readonly SeenRecord[], { probes }: DnsSurvey): boolean {
  const [below] = probes.belowHostname?.records ?? [];
  return (
    below !== undefined && records.some(({ type, value }) => type === below.type && value === below.value)
  );
}
