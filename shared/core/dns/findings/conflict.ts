import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup, SeenRecord } from '../dns-survey.ts';
import { weigh } from './evidence.ts';
import { makeFinding } from './make-finding.ts';
import { panelName } from './panel-name.ts';

/** Reports a CNAME beside other data, or beside another CNAME, at one name (RFC 1034 section 3.6.2), as seen by one server. */
export function findConflicts(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  if (weigh(survey, expectation).wrong.length === 0) return [];
  for (const records of recordsAtHostname(survey, expectation)) {
    const cnames = records.filter(({ type }) => type === 'CNAME');
    const isOne = new Set(cnames.map(({ value }) => value)).size === 1;
    const rivals = isOne ? [] : cnames.filter(({ value }) => !expectation.targets.includes(value));
    const others = [...rivals, ...records.filter(({ type }) => !MAY_STAND_BESIDE.has(type))];
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

/** Types that may stand beside a CNAME: those that DNSSEC adds (RFC 4034 section 3). SOA and NS are left to `dns_apex_cname`. */
const MAY_STAND_BESIDE: ReadonlySet<string> = new Set(['CNAME', 'RRSIG', 'NSEC', 'SOA', 'NS']);

/** Groups the records by server. A cache can hold an old record beside a new one, so resolvers count only if no authority was asked. */
function recordsAtHostname(survey: DnsSurvey, { hostname }: DnsExpectation): SeenRecord[][] {
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
