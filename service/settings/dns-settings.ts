import type { DnsRoleSettings } from '../dns/zones-of-settings.ts';
import { DNS_CONTACT, type Environment } from './environment.ts';

/** Returns the settings of the role `dns`. Returns null if the environment names no DNS servers. */
export function dnsSettings(env: Environment): DnsRoleSettings | null {
  if (env.NAMEPLATE_DNS_SERVERS === undefined) return null;
  return {
    listen: env.NAMEPLATE_DNS_LISTEN,
    servers: env.NAMEPLATE_DNS_SERVERS,
    contact: dnsContact(env),
    ttlS: env.NAMEPLATE_DNS_TTL_SECONDS,
    negativeTtlS: env.NAMEPLATE_DNS_NEGATIVE_TTL_SECONDS,
    probeAddresses: env.NAMEPLATE_DNS_PROBE_ADDRESSES ?? null,
    probePort: env.NAMEPLATE_DNS_PROBE_PORT,
    caaIssuers: env.NAMEPLATE_DNS_CAA,
  };
}

/**
 * Returns the mail address for the SOA records. Mail to the default address cannot arrive, because every name in the zone points to the
 * edge.
 */
function dnsContact(env: Environment): string {
  const { NAMEPLATE_DNS_CONTACT: given, NAMEPLATE_CA_CONTACT: other = '' } = env;
  return given ?? (DNS_CONTACT.test(other) ? other : `hostmaster@${env.NAMEPLATE_EDGE_ZONE}`);
}
