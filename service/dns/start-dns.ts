import { hkdfSync } from 'node:crypto';
import type { ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createDnsResponder, createServerCookies } from '../../shared/dns/server/dns-responder.ts';
import { type DnsServer, startDnsServer } from '../../shared/dns/server/dns-server.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { ServiceConfig } from '../config.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import type { DnsMetrics } from './dns-metrics.ts';
import { type EdgeAnswersOptions, followEdgeHealth } from './edge-answers.ts';
import { challengeZoneOfSettings, zonesOfSettings } from './zones-of-settings.ts';

/** Starts the DNS server of a node. @throws Error with `code` EADDRINUSE if a port is taken. */
export async function startDns(
  { settings, dns, edgeNode, edgeReplica: folder }: ServiceConfig,
  { findTexts, edgeKeys, edges, metrics, onError, log }: DnsParts,
): Promise<DnsServer> {
  if (dns === null) throw new Error('NAMEPLATE_DNS_SERVERS is not set');
  const zones = new Map(zonesOfSettings(settings, dns));
  const answers =
    edges &&
    followEdgeHealth({
      ...edges,
      configured: [...settings.edgeIpv4, ...settings.edgeIpv6],
      regions: edgeNode.regions,
      folder,
      log,
      onChange(addresses) {
        for (const [key, zone] of zonesOfSettings(settings, dns, addresses)) zones.set(key, zone);
      },
    });
  if (answers !== null) metrics.edges(answers.states);
  const challenges = challengeZoneOfSettings(settings, dns, (label) => {
    try {
      return findTexts?.(label) ?? [];
    } catch (error) {
      // The file of the replica cannot be read. An error response would keep resolvers from asking again soon (`decisions/0036`).
      onError({ kind: 'node', error: error as Error });
      return [];
    }
  });
  if (challenges !== null) zones.set(challenges.key, challenges);
  const server = await startDnsServer({
    listen: dns.listen,
    respond: createDnsResponder({
      zones,
      cookies: createServerCookies(cookieSecret(edgeKeys)),
      wallClock: systemClock,
    }),
    onMessage: metrics.message,
    onError,
  });
  return {
    ...server,
    async close(graceMs) {
      answers?.close();
      await server.close(graceMs);
    },
  };
}

interface DnsParts {
  /** Returns the answers to a domain's open challenges. Null on a node without the machine's replica, which answers none. */
  findTexts: ((label: string) => readonly string[]) | null;
  /** The beats and drains of edges. Null on a node without the machine's replica, which answers with all addresses. */
  edges: Pick<EdgeAnswersOptions, 'beats' | 'isDrained'> | null;
  /** Null on a node without keys. */
  edgeKeys: EncryptionKeys | null;
  metrics: DnsMetrics;
  onError: ReportConnectionError;
  log: Log;
}

const SECRET_BYTES = 16;

/**
 * Returns the secret of DNS cookies. The secret is derived from the edge key, so that servers behind one address accept each other's
 * cookies, also after a restart. Without an edge key, the secret is random, and clients get new cookies after a restart.
 */
function cookieSecret(ring: EncryptionKeys | null): Buffer {
  const key = ring?.keys.get(ring.current);
  if (key === undefined) return Buffer.from(systemRandom(SECRET_BYTES));
  return Buffer.from(hkdfSync('sha256', key, '', 'dns-cookies', SECRET_BYTES));
}
