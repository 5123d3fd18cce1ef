import { isIPv4 } from 'node:net';
import type { LRUCache } from 'lru-cache';
import { isDefinite } from '../core/dns/dns-confirmation.ts';
import type { Lookup, LookupFailure } from '../core/dns/dns-survey.ts';
import { addressAllowed } from '../core/net/address.ts';
import type { Resolvers } from './resolvers.ts';
import type { DnsEndpoint } from './wire/dns-client.ts';
import { isWithin } from './wire/wire-name.ts';

/** A zone, as its parent zone describes it. */
export interface Zone {
  /** The zone's name; `.` for the root. */
  name: string;
  /** The names of the zone's servers, sorted. */
  servers: readonly string[];
  /** How long the list of servers may be cached, in milliseconds. */
  keptMs: number;
  /** Server addresses that came with the referral (glue). */
  glue: ReadonlyMap<string, readonly string[]>;
}

/** A server of a zone, or the reason why it cannot be queried. */
export type NameServer =
  | { name: string; server: DnsEndpoint; failure: null }
  | { name: string; server: null; failure: LookupFailure };

export interface NameServersOptions {
  resolvers: Resolvers;
  /** Addresses of name servers by name, cached for their TTL. */
  addresses: LRUCache<string, readonly string[]>;
  /** Resolvers are never queried for this name or for a name below it. */
  untouched: string;
  authorityPort: number;
  allowLoopback: boolean;
}

/** Maximum number of a zone's servers to query. Further servers have the same records, so we do not put load on all of them. */
const SERVERS_MAX = 4;
const ADDRESSES_MAX = 8;
const TTL_MAX_S = 3600;

/**
 * Returns the servers of a zone to query, the same ones each time. Anyone can choose the addresses of name servers, so only global unicast
 * addresses are allowed.
 */
export function nameServersOf(zone: Zone, options: NameServersOptions): Promise<NameServer[]> {
  return Promise.all(
    zone.servers.slice(0, SERVERS_MAX).map(async (name) => {
      const addresses = zone.glue.get(name) ?? (await resolveServer(name, options));
      return toNameServer(name, addresses, options);
    }),
  );
}

/** Returns how long records may be cached, in milliseconds. */
export function keptMs(records: Lookup['records'], maxS = TTL_MAX_S): number {
  const ttlS = Math.min(maxS, ...records.map((record) => record.ttl_s));
  // At least 1, because the cache treats 0 as unlimited.
  return Math.max(1, ttlS * 1000);
}

function toNameServer(
  name: string,
  addresses: readonly string[],
  { allowLoopback, authorityPort: port }: NameServersOptions,
): NameServer {
  if (addresses.length === 0) return { name, server: null, failure: 'unreachable' };
  // Prefers IPv4, because not every machine has IPv6.
  const [ip] = addresses
    .filter((address) => addressAllowed(address, { allowLoopback }))
    .toSorted((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)) || (a < b ? -1 : 1));
  if (ip === undefined) return { name, server: null, failure: 'not_allowed' };
  return { name, server: { label: `${name} (${ip})`, address: { ip, port } }, failure: null };
}

async function resolveServer(
  name: string,
  { resolvers, addresses, untouched }: NameServersOptions,
): Promise<readonly string[]> {
  if (isWithin(name, untouched)) return [];
  const known = addresses.get(name);
  if (known !== undefined) return known;
  for (const type of ['A', 'AAAA'] as const) {
    const lookup = await resolvers.askAny(name, type);
    const records = lookup.records.filter((record) => record.type === type);
    const found = records.slice(0, ADDRESSES_MAX).map(({ value }) => value);
    if (isDefinite(lookup) && found.length > 0) {
      addresses.set(name, found, { ttl: keptMs(lookup.records) });
      return found;
    }
  }
  return [];
}
