import type { LRUCache } from 'lru-cache';
import { isDefinite } from '../core/dns/dns-confirmation.ts';
import type { LookupType, SeenRecord } from '../core/dns/dns-survey.ts';
import { registrableDomain } from '../core/domains/hostname.ts';
import { firstGood } from './first-good.ts';
import { keptMs, type NameServersOptions, nameServersOf, type Zone } from './name-servers.ts';
import type { DnsClient, Reply } from './wire/dns-client.ts';
import type { DnsMessage } from './wire/dns-message.ts';
import { isWithin, parentOf } from './wire/wire-name.ts';

/** The zone to which a name belongs, found by its zone cut (RFC 9499). */
export interface ZoneCut {
  /** Null if the zone was not found. */
  zone: Zone | null;
  /** Whether the registrable domain exists, according to the servers of the zone above. Null if none of them answered. */
  registered: boolean | null;
  /**
   * The zones in the order of their delegations, from the zone above the registrable domain to `zone`. If the zone of the registrable
   * domain was cached, the list starts with that zone.
   */
  path: readonly Zone[];
}

export interface ZoneCutOptions extends NameServersOptions {
  client: DnsClient;
  /** Zones above registrable domains, by the name for which they were found, cached for their TTL. */
  zones: LRUCache<string, Zone>;
  /** Zones of registrable domains, cached for their TTL, at most 6 hours. Null to query the zone above each time. */
  cuts: LRUCache<string, Zone> | null;
}

const CUT_TTL_MAX_S = 6 * 3600;

/**
 * Finds the zone to which a name belongs. Asks resolvers for the nearest zone above the registrable domain, and follows referrals from
 * there. Never asks resolvers for the name itself, so that they do not cache a negative answer.
 */
export async function findZoneCut(name: string, type: LookupType, options: ZoneCutOptions): Promise<ZoneCut> {
  const registrable = registrableDomain(name) ?? name;
  const found = await descendTo(registrable, options);
  if (found?.said === 'nxdomain') return { ...NOT_FOUND, registered: false };
  if (found === null || found.said === null) return NOT_FOUND;
  const { zone, path } = found;
  if (zone.name === name) return { zone, registered: true, path };
  const further = await descend(zone, name, type, options);
  return { zone: further.zone, registered: true, path: [...path, ...further.path.slice(1)] };
}

/** Returns the zone of a referral, if it is nearer to the name than the zone whose server replied. */
export function referralOf({ answer, name }: Reply, zone: string): Zone | null {
  if (typeof answer === 'string' || answer.rcode !== 0) return null;
  if (answer.answers.length > 0 || answer.authorities.some(({ type }) => type === 'SOA')) return null;
  const below = answer.authorities.find(
    (record) =>
      record.type === 'NS' &&
      record.name !== zone &&
      isWithin(record.name, zone) &&
      isWithin(name, record.name),
  );
  return below === undefined ? null : zoneOf(below.name, answer.authorities, answer.additionals, zone);
}

const NOT_FOUND: ZoneCut = { zone: null, registered: null, path: [] };

/**
 * Finds the zone of a registrable domain. Each use of a cached zone puts a different server first, so that the load is spread among the
 * servers.
 */
async function descendTo(registrable: string, options: ZoneCutOptions): Promise<Descent | null> {
  const known = options.cuts?.get(registrable);
  if (known !== undefined) {
    const turned = { ...known, servers: [...known.servers.slice(1), ...known.servers.slice(0, 1)] };
    options.cuts?.set(registrable, turned, { noUpdateTTL: true });
    return { zone: turned, said: 'zone', path: [turned] };
  }
  const above = await zoneAbove(registrable, options);
  if (above === null) return null;
  const found = await descend(above, registrable, 'NS', options);
  if (found.said === 'zone') options.cuts?.set(registrable, found.zone, { ttl: found.zone.keptMs });
  return found;
}

/** Finds the zone above a registrable domain by asking resolvers, which is safe because no customer has a name there. */
async function zoneAbove(registrable: string, options: ZoneCutOptions): Promise<Zone | null> {
  const suffix = parentOf(registrable) ?? '.';
  const known = options.zones.get(suffix);
  if (known !== undefined) return known;
  for (let name: string | null = suffix; name !== null; name = parentOf(name)) {
    const lookup = await options.resolvers.askAny(name, 'NS');
    if (!isDefinite(lookup)) return null;
    const zone = zoneOf(name, lookup.records, [], '.');
    if (zone.servers.length === 0) continue;
    options.zones.set(suffix, zone, { ttl: keptMs(lookup.records) });
    return zone;
  }
  return null;
}

interface Descent {
  zone: Zone;
  /** The answer of the last zone's servers for the name. Null if none of them answered. */
  said: 'zone' | 'nxdomain' | 'noerror' | null;
  /** The zones that were passed, from the first to `zone`. */
  path: readonly Zone[];
}

/** Follows referrals from a zone down to a name. Each zone is nearer to the name than the one before, so the loop ends. */
async function descend(
  from: Zone,
  name: string,
  type: LookupType,
  options: ZoneCutOptions,
): Promise<Descent> {
  let zone = from;
  const path = [from];
  const enter = (next: Zone) => {
    zone = next;
    path.push(next);
  };
  while (zone.name !== name) {
    const reply = await askZone(zone, name, type, options);
    const below = reply && referralOf(reply, zone.name);
    if (below) {
      enter(below);
      continue;
    }
    const answer = reply?.answer;
    if (typeof answer !== 'object' || !isDefiniteAnswer(answer)) return { zone, said: null, path };
    // A server that has both the zone and its parent answers for the zone without a referral.
    const same = zoneOf(name, type === 'NS' ? answer.answers : [], answer.additionals, zone.name);
    if (same.servers.length > 0) return { zone: same, said: 'zone', path: [...path, same] };
    const cut = zoneOfSoa(answer, zone.name, name);
    const inner = cut === null ? null : await descend(zone, cut, 'NS', options);
    if (inner?.said !== 'zone') return { zone, said: answer.rcode === 0 ? 'noerror' : 'nxdomain', path };
    for (const next of inner.path.slice(1)) enter(next);
  }
  return { zone, said: 'zone', path };
}

/**
 * Returns the zone of the SOA record in a negative answer, if that zone is nearer to the name. The server has both zones and therefore sent
 * no referral.
 */
function zoneOfSoa({ answers, authorities }: DnsMessage, zone: string, name: string): string | null {
  const soa = answers.length === 0 ? authorities.find(({ type }) => type === 'SOA') : undefined;
  const isNearer =
    soa !== undefined && soa.name !== zone && isWithin(soa.name, zone) && isWithin(name, soa.name);
  return isNearer ? soa.name : null;
}

async function askZone(
  zone: Zone,
  name: string,
  type: LookupType,
  options: ZoneCutOptions,
): Promise<Reply | null> {
  const servers = (await nameServersOf(zone, options)).flatMap(({ server }) => server ?? []);
  return firstGood(
    servers,
    (server) => options.client.ask(server, name, type, { recursion: false }),
    (reply) =>
      referralOf(reply, zone.name) !== null ||
      (typeof reply.answer === 'object' && isDefiniteAnswer(reply.answer)),
  );
}

function isDefiniteAnswer({ authoritative, rcode }: DnsMessage): boolean {
  return authoritative && (rcode === 0 || rcode === 3);
}

/** Returns a zone from NS records. Accepts glue only for names inside the zone that sent it. */
function zoneOf(
  name: string,
  records: readonly SeenRecord[],
  additionals: readonly SeenRecord[],
  givenBy: string,
): Zone {
  const own = records.filter((record) => record.type === 'NS' && record.name === name);
  const servers = [...new Set(own.map(({ value }) => value))].sort();
  const glue = new Map<string, string[]>();
  for (const record of additionals) {
    const isGlue = record.type === 'A' || record.type === 'AAAA';
    if (!isGlue || !servers.includes(record.name) || !isWithin(record.name, givenBy)) continue;
    glue.set(record.name, [...(glue.get(record.name) ?? []), record.value]);
  }
  return { name, servers, keptMs: keptMs(own, CUT_TTL_MAX_S), glue };
}
