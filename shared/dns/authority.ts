import { canonicalAddress, isDefinite, labelIn, reaches } from '../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { Delegation, Lookup, LookupType, NameView } from '../core/dns/dns-survey.ts';
import { firstGood } from './first-good.ts';
import { type NameServer, nameServersOf, type Zone } from './name-servers.ts';
import type { DnsEndpoint } from './wire/dns-client.ts';
import {
  CHAIN_MAX,
  failed,
  type Reading,
  readAuthoritative,
  readBeside,
  type Stops,
} from './wire/reading.ts';
import { isAskable } from './wire/wire-name.ts';
import { findZoneCut, referralOf, type ZoneCut, type ZoneCutOptions } from './zone-cut.ts';

/** Looks up names at the authoritative servers of their zones, without a cache. */
export interface Authority {
  findZoneCut(name: string, type: LookupType): Promise<ZoneCut>;
  nameServersOf(zone: Zone): Promise<NameServer[]>;
  /** Queries one server of the zone. If the CNAME chain leaves the zone, follows the chain at the servers of the other zones. */
  askServer(server: NameServer, zone: Zone, name: string, type: LookupType): Promise<Lookup>;
  /** Queries one server for the records at the name itself, without following a CNAME chain. */
  askBeside(server: DnsEndpoint, zone: Zone, name: string, type: LookupType): Promise<Lookup>;
  /** Queries the servers of the name's zone, and returns the first definite answer. */
  ask(name: string, type: LookupType): Promise<Lookup>;
}

export interface AuthorityOptions extends ZoneCutOptions {
  /** Returns whether to stop following a CNAME chain at a name. */
  stops: Stops;
}

/** Maximum number of times that one CNAME chain may leave a zone. */
const HOPS_MAX = 8;

export function createAuthority(options: AuthorityOptions): Authority {
  const { client, stops } = options;

  /**
   * Looks up the last name of a CNAME chain at its zone's own servers.
   * @param path the names of the chain, from the requested name to the one to look up.
   */
  async function ask(path: readonly string[], type: LookupType, hops: number): Promise<Lookup> {
    const name = path.at(-1) ?? '.';
    const asked = { server: `servers of ${name}`, name, type, response_ms: 0 };
    const { zone, registered } = await findZoneCut(name, type, options);
    if (registered === false) {
      return { ...asked, outcome: 'nxdomain', failure: null, ede: [], records: [], negative_ttl_s: null };
    }
    if (zone === null) return failed(asked, 'unreachable');
    const servers = await nameServersOf(zone, options);
    const found = await firstGood(servers, (server) => askOne(server, zone, name, type), isDefiniteReading);
    if (found === null) return failed(asked, 'unreachable');
    return follow(found, path, hops);
  }

  async function askOne(
    { name: label, server, failure }: NameServer,
    zone: Zone,
    name: string,
    type: LookupType,
  ): Promise<Reading & { refers: boolean }> {
    if (server === null) {
      const asked = { server: label, name, type, response_ms: 0 };
      return { lookup: failed(asked, failure), next: null, refers: false };
    }
    const reply = await client.ask(server, name, type, { recursion: false });
    return { ...readAuthoritative(reply, zone.name, stops), refers: referralOf(reply, zone.name) !== null };
  }

  async function follow({ lookup, next }: Reading, path: readonly string[], hops: number): Promise<Lookup> {
    // Ends the chain at a target that cannot be looked up, such as `edge.example.net ` with a space at its end.
    if (next === null || !isAskable(next)) return lookup;
    const names = [...path, ...lookup.records.map(({ value }) => value)];
    if (path.includes(next) || names.length > CHAIN_MAX + 1 || hops >= HOPS_MAX) {
      return { ...lookup, outcome: 'unknown', failure: 'loop' };
    }
    const rest = await ask(names, lookup.type, hops + 1);
    return joined(lookup, rest);
  }

  return {
    findZoneCut: (name, type) => findZoneCut(name, type, options),
    nameServersOf: (zone) => nameServersOf(zone, options),
    ask: (name, type) => ask([name], type, 0),
    async askBeside(server, zone, name, type) {
      return readBeside(await client.ask(server, name, type, { recursion: false }), zone.name);
    },
    async askServer(server, zone, name, type) {
      const reading = await askOne(server, zone, name, type);
      // The requested name may be in a delegated zone below this one. The server then only refers to that zone.
      if (reading.refers) return { ...(await ask([name], type, 0)), server: reading.lookup.server };
      return follow(reading, [name], 0);
    },
  };
}

function isDefiniteReading({ lookup }: Reading): boolean {
  return isDefinite(lookup);
}

/** Joins the lookups of the two parts of a CNAME chain. The last part determines the outcome. */
function joined(first: Lookup, rest: Lookup): Lookup {
  return {
    ...first,
    outcome: rest.outcome === 'nodata' ? 'answer' : rest.outcome,
    failure: rest.failure,
    ede: [...new Set([...first.ede, ...rest.ede])],
    records: [...first.records, ...rest.records],
    negative_ttl_s: rest.outcome === 'nxdomain' ? rest.negative_ttl_s : null,
    response_ms: first.response_ms + rest.response_ms,
  };
}

/** What each server of a hostname's own zone returns for the hostname. */
export interface AuthoritySurvey {
  delegation: Delegation;
  /** The answers of the servers, in the order of `servers`. */
  views: readonly NameView[];
  servers: readonly NameServer[];
  zone: Zone | null;
  /** The zones in the order of their delegations, from the zone above the registrable domain to `zone`. */
  path: readonly Zone[];
}

export async function surveyAuthority(
  authority: Authority,
  expectation: DnsExpectation,
): Promise<AuthoritySurvey> {
  const { zone, registered, path } = await authority.findZoneCut(expectation.hostname, 'A');
  const servers = zone === null ? [] : await authority.nameServersOf(zone);
  const views = zone === null ? [] : await viewAtEach(authority, servers, zone, expectation);
  const delegation: Delegation = {
    zone: zone?.name ?? null,
    registered,
    parent_servers: zone?.servers ?? [],
    own_servers: [],
    lame_servers: servers.filter((_, index) => isLame(views[index])).map(({ name }) => name),
  };
  return { delegation, views, servers, zone, path };
}

/** Returns the name servers in the zone's own NS records, from the first server of the zone that has such records. */
export async function ownServers(
  authority: Authority,
  { zone, servers }: AuthoritySurvey,
): Promise<string[]> {
  if (zone === null) return [];
  const lookups = await Promise.all(
    servers.map((server) => authority.askServer(server, zone, zone.name, 'NS')),
  );
  const told = lookups.find(({ outcome }) => outcome === 'answer');
  return (told?.records ?? []).flatMap(({ type, value }) => (type === 'NS' ? [value] : [])).sort();
}

function viewAtEach(
  authority: Authority,
  servers: readonly NameServer[],
  zone: Zone,
  expectation: DnsExpectation,
): Promise<NameView[]> {
  return Promise.all(
    servers.map((server) =>
      viewName(
        server.server?.label ?? server.name,
        (name, type) => authority.askServer(server, zone, name, type),
        expectation,
        true,
      ),
    ),
  );
}

/**
 * Returns whether the server is lame: it refused, or its answer was not authoritative. If the view has records, the refusal came from
 * another server, further along the CNAME chain.
 */
function isLame(view: NameView | undefined): boolean {
  return view?.a.failure === 'refused' && view.a.records.length === 0;
}

/**
 * Queries one server for the records of a hostname. Sends as few questions as possible: most checks of a subdomain send only one to each
 * resolver.
 * @param seeksAaaa whether to also look for AAAA records at a name whose CNAME points to us, because some authoritative servers return
 * both.
 */
export async function viewName(
  server: string,
  ask: (name: string, type: LookupType) => Promise<Lookup>,
  expectation: DnsExpectation,
  seeksAaaa = false,
): Promise<NameView> {
  const { hostname, txtName, is_apex, ignoresTxt } = expectation;
  const rest = () => Promise.all([ask(hostname, 'AAAA'), ignoresTxt ? null : ask(txtName, 'TXT')]);
  if (is_apex) {
    const [a, [aaaa, txt]] = await Promise.all([ask(hostname, 'A'), rest()]);
    return { server, a, aaaa, txt };
  }
  const a = await ask(hostname, 'A');
  if (!mayBeFlattened(a, expectation)) {
    const aaaa = seeksAaaa && reaches(a, expectation) ? await ask(hostname, 'AAAA') : null;
    return { server, a, aaaa, txt: null };
  }
  const [aaaa, txt] = await rest();
  return { server, a, aaaa, txt };
}

/**
 * Returns whether the name may point to us by address records instead of our CNAME. The addresses may be at the name itself, or at the end
 * of a chain of other CNAMEs.
 */
function mayBeFlattened(a: Lookup, expectation: DnsExpectation): boolean {
  const { edgeIpv4, proxies = [] } = expectation;
  if (!isDefinite(a) || a.outcome === 'nxdomain') return false;
  if (labelIn(a, expectation) !== null || reaches(a, expectation)) return false;
  const own = [...edgeIpv4, ...proxies].map(canonicalAddress);
  return (
    a.records.every(({ type }) => type !== 'CNAME') ||
    a.records.some(({ type, value }) => type === 'A' && own.includes(canonicalAddress(value)))
  );
}
