import { once } from 'node:events';
import { connect } from 'node:net';
import { LRUCache } from 'lru-cache';
import { monotonicClock, systemRandom } from '../../shared/adapters/system.ts';
import {
  type DelegationProblem,
  type DelegationSurvey,
  delegationProblems,
  type SurveyedServer,
} from '../../shared/core/dns/delegation-problems.ts';
import { createAuthority } from '../../shared/dns/authority.ts';
import type { DnsOptions } from '../../shared/dns/create-dns.ts';
import type { NameServer } from '../../shared/dns/name-servers.ts';
import { createResolvers, DNS_PORT, resolverServer } from '../../shared/dns/resolvers.ts';
import { createDnsClient } from '../../shared/dns/wire/dns-client.ts';
import { createDnsExchange, type SocketAddress } from '../../shared/dns/wire/dns-transport.ts';
import { NOWHERE, readAuthoritative } from '../../shared/dns/wire/reading.ts';
import type { ServiceConfig } from '../config.ts';

/** A zone of the role `dns`, with the problems of its delegation as seen from this machine. */
export interface CheckedDelegation {
  zone: string;
  problems: readonly DelegationProblem[];
}

/**
 * Checks how resolvers on the internet find our edge zone and sandbox zone. Returns an empty list if the settings name no DNS servers.
 * @param authorityPort port of name servers, 53 by default. Tests use another one.
 */
export async function checkDelegations(
  { settings, dns, resolvers }: Pick<ServiceConfig, 'settings' | 'dns' | 'resolvers'>,
  authorityPort?: number,
): Promise<CheckedDelegation[]> {
  if (dns === null) return [];
  const options = {
    resolvers,
    allowLoopback: settings.allowLoopback,
    ...(authorityPort === undefined ? {} : { authorityPort }),
    random: systemRandom,
    clock: monotonicClock,
  };
  const expected = { servers: dns.servers, ipv4: settings.edgeIpv4 };
  return Promise.all(
    [settings.edgeZone, settings.sandboxZone].map(async (zone) => ({
      zone,
      problems: delegationProblems(await surveyDelegation(zone, options), expected),
    })),
  );
}

const TIMEOUT_MS = 3000;
const WORK_MS_MAX = 20_000;
const QUESTIONS_MAX = 60;
const SOCKETS_MAX = 20;

/** Queries the delegation of one of our zones at the parent zone's servers, the zone's own servers, and public resolvers. */
export async function surveyDelegation(
  zone: string,
  { resolvers: texts, allowLoopback, authorityPort = DNS_PORT, random, clock }: DnsOptions,
): Promise<DelegationSurvey> {
  const signal = AbortSignal.timeout(WORK_MS_MAX);
  const exchange = createDnsExchange({ random, timeoutMs: TIMEOUT_MS, socketsMax: SOCKETS_MAX });
  const client = createDnsClient({ exchange, clock, questionsMax: QUESTIONS_MAX, signal });
  const resolvers = createResolvers(client, texts.map(resolverServer));
  const authority = createAuthority({
    client,
    resolvers,
    untouched: zone,
    stops: NOWHERE,
    zones: new LRUCache({ max: 10 }),
    cuts: null,
    addresses: new LRUCache({ max: 100 }),
    authorityPort,
    allowLoopback,
  });

  async function surveyServer({ name, server, failure }: NameServer): Promise<SurveyedServer> {
    if (server === null)
      return { name, address: null, failure: failure ?? 'unreachable', hasTcp: false, serial: null };
    const [reply, hasTcp] = await Promise.all([
      client.ask(server, zone, 'SOA', { recursion: false }),
      acceptsTcp(server.address),
    ]);
    const { lookup } = readAuthoritative(reply, zone, NOWHERE);
    const [soa] = lookup.records;
    const told = soa === undefined ? (lookup.failure ?? 'refused') : null;
    return {
      name,
      address: server.address.ip,
      failure: told,
      hasTcp,
      serial: soa === undefined ? null : Number(soa.value.split(' ')[2]),
    };
  }

  const { zone: cut } = await authority.findZoneCut(zone, 'NS');
  const label = Buffer.from(random(6)).toString('hex');
  const [servers, ds, target] = await Promise.all([
    cut?.name === zone ? authority.nameServersOf(cut).then((all) => Promise.all(all.map(surveyServer))) : [],
    resolvers.askAny(zone, 'DS'),
    resolvers.askAny(`check-${label}.${zone}`, 'A'),
  ]);
  return { zone, cut: cut?.name ?? null, delegatedTo: cut?.servers ?? [], servers, ds, target };
}

/** Returns whether a server accepts a connection over TCP. */
async function acceptsTcp({ ip, port }: SocketAddress): Promise<boolean> {
  const socket = connect({ host: ip, port, timeout: TIMEOUT_MS });
  socket.once('timeout', () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // The survey reports the server as unreachable over TCP.
  } finally {
    socket.destroy();
  }
}
