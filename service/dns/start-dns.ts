import { hkdfSync } from 'node:crypto';
import type { ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import { systemRandom } from '../../shared/adapters/system-random.ts';
import { createDnsResponder } from '../../shared/dns/server/dns-responder.ts';
import { type DnsServer, startDnsServer } from '../../shared/dns/server/dns-server.ts';
import { createServerCookies } from '../../shared/dns/server/server-cookies.ts';
import type { ServiceConfig } from '../config.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import type { DnsMetrics } from './dns-metrics.ts';
import { zonesOfSettings } from './zones-of-settings.ts';

/** Starts the DNS server of a node. It needs no database. @throws Error with `code` EADDRINUSE if a port is taken. */
export async function startDns(
  { settings, dns, encryptionKeys }: ServiceConfig,
  metrics: DnsMetrics,
  onError: ReportConnectionError,
): Promise<DnsServer> {
  if (dns === null) throw new Error('NAMEPLATE_DNS_SERVERS is not set');
  return startDnsServer({
    listen: dns.listen,
    respond: createDnsResponder({
      zones: zonesOfSettings(settings, dns),
      cookies: createServerCookies(cookieSecret(encryptionKeys)),
      wallClock: systemClock,
    }),
    onMessage: metrics.message,
    onError,
  });
}

const SECRET_BYTES = 16;

/**
 * Returns the secret of DNS cookies. It follows from the encryption key, so that servers behind one address accept each other's cookies, and
 * a restart loses none. Without a key it is random, and clients get new cookies after a restart.
 */
function cookieSecret(ring: EncryptionKeys | null): Buffer {
  const key = ring?.keys.get(ring.current);
  if (key === undefined) return Buffer.from(systemRandom(SECRET_BYTES));
  return Buffer.from(hkdfSync('sha256', key, '', 'dns-cookies', SECRET_BYTES));
}
