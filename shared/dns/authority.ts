import { isDefinite } from '../core/dns/dns-confirmation.ts';
import type { Lookup, LookupType } from '../core/dns/dns-survey.ts';
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

/** Looks names up at their zones' own servers, without any cache. */
export interface Authority {
  findZoneCut(name: string, type: LookupType): Promise<ZoneCut>;
  nameServersOf(zone: Zone): Promise<NameServer[]>;
  /** Asks one server of the zone. If the CNAME chain leaves the zone, follows it at the zones that it leads to. */
  askServer(server: NameServer, zone: Zone, name: string, type: LookupType): Promise<Lookup>;
  /** Asks one server for the records at the name itself, without following a chain. */
  askBeside(server: DnsEndpoint, zone: Zone, name: string, type: LookupType): Promise<Lookup>;
  /** Asks the servers of the name's zone, and returns the first definite answer. */
  ask(name: string, type: LookupType): Promise<Lookup>;
}

export interface AuthorityOptions extends ZoneCutOptions {
  /** Names at which a CNAME chain is not followed further. */
  stops: Stops;
}

/** The most zones that one chain may lead through. */
const HOPS_MAX = 8;

export function createAuthority(options: AuthorityOptions): Authority {
  const { client, stops } = options;

  /** Looks a name up at its zone's own servers. @param path the names that led to this one, the requested name first. */
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
    // Some targets cannot be looked up, such as `edge.example.net ` with its space. The chain ends there.
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
      // The requested name may be delegated further down than the name by which the zone was found.
      if (reading.refers) return { ...(await ask([name], type, 0)), server: reading.lookup.server };
      return follow(reading, [name], 0);
    },
  };
}

function isDefiniteReading({ lookup }: Reading): boolean {
  return isDefinite(lookup);
}

/** Joins the two parts of a chain. The outcome is that of its last name. */
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
