import { hkdfSync } from 'node:crypto';
import type { ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createDnsResponder, createServerCookies } from '../../shared/dns/server/dns-responder.ts';
import { type DnsServer, startDnsServer } from '../../shared/dns/server/dns-server.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Store } from '../../shared/store/store.ts';
import type { ServiceConfig } from '../config.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import type { DnsMetrics } from './dns-metrics.ts';
import { followChallenges } from './follow-challenges.ts';
import { challengeZoneOfSettings, zonesOfSettings } from './zones-of-settings.ts';

/**
 * Starts the DNS server of a node. The server starts and answers without the database, from which it reads only the answers to challenges.
 * @param store null on a node without a shared database. @throws Error with `code` EADDRINUSE if a port is taken.
 */
export async function startDns(
  { settings, dns, encryptionKeys }: ServiceConfig,
  { store, log, metrics, onError }: DnsParts,
): Promise<DnsServer> {
  if (dns === null) throw new Error('NAMEPLATE_DNS_SERVERS is not set');
  const zones = new Map(zonesOfSettings(settings, dns));
  const challenges = challengeZoneOfSettings(settings, dns);
  if (challenges !== null) zones.set(challenges.zone.key, challenges.zone);
  const server = await startDnsServer({
    listen: dns.listen,
    respond: createDnsResponder({
      zones,
      cookies: createServerCookies(cookieSecret(encryptionKeys)),
      wallClock: systemClock,
    }),
    onMessage: metrics.message,
    onError,
  });
  const { challengeZone } = settings;
  if (store === null || challenges === null || challengeZone === null) return server;
  const following = followChallenges(store, challenges, { challengeZone, log });
  return {
    addresses: server.addresses,
    async close(graceMs) {
      await following.stop();
      await server.close(graceMs);
    },
  };
}

interface DnsParts {
  store: Store | null;
  log: Log;
  metrics: DnsMetrics;
  onError: ReportConnectionError;
}

const SECRET_BYTES = 16;

/**
 * Returns the secret of DNS cookies. The secret is derived from the encryption key, so that servers behind one address accept each other's
 * cookies, also after a restart. Without an encryption key, the secret is random, and clients get new cookies after a restart.
 */
function cookieSecret(ring: EncryptionKeys | null): Buffer {
  const key = ring?.keys.get(ring.current);
  if (key === undefined) return Buffer.from(systemRandom(SECRET_BYTES));
  return Buffer.from(hkdfSync('sha256', key, '', 'dns-cookies', SECRET_BYTES));
}
