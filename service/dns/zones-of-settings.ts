import { createHash } from 'node:crypto';
import type { Settings } from '../../shared/core/settings.ts';
import { createChallengeZone } from '../../shared/dns/server/challenge-zone.ts';
import type { RecordContent } from '../../shared/dns/server/packed-records.ts';
import {
  createServedZone,
  type ServedZone,
  type ServedZones,
  type ZoneContent,
  type ZoneRecord,
  type ZoneServer,
} from '../../shared/dns/server/zone.ts';
import { isWithin } from '../../shared/dns/wire/wire-name.ts';
import type { ListenAddress } from '../settings/setting-kinds.ts';

/** Settings of the DNS role. */
export interface DnsRoleSettings {
  listen: readonly ListenAddress[];
  /** The names of the NS records, with their addresses. A name in the edge zone or the sandbox zone has at least one address. */
  servers: readonly ZoneServer[];
  /** The mail address of the SOA record. */
  contact: string;
  ttlS: number;
  negativeTtlS: number;
  /** The addresses at which this node reaches the DNS servers. Null if the node can use the public addresses. */
  probeAddresses: readonly string[] | null;
  /** The public port of the DNS servers. A worker checks the answer to a challenge there before a CA does. */
  probePort: number;
  /** The certificate authorities in the CAA records of our zones. If the list is empty, the CAA records of the parent zone apply. */
  caaIssuers: readonly string[];
}

type ZoneSettings = Pick<Settings, 'edgeZone' | 'sandboxZone' | 'edgeIpv4' | 'edgeIpv6'>;

/** The TTL is long, because NS records seldom change and resolvers ask for them often. */
const INFRASTRUCTURE_TTL_S = 3600;

/**
 * Returns the zones that the DNS role serves. Their content depends only on the settings (`decisions/0035`), except for challenges and for
 * the health of edges (`decisions/0102`). The serial number depends only on the settings.
 * @param answered the addresses of edges to answer with, all of the settings by default.
 */
export function zonesOfSettings(
  settings: ZoneSettings,
  dns: DnsRoleSettings,
  answered: readonly string[] = [...settings.edgeIpv4, ...settings.edgeIpv6],
): ServedZones {
  const isAnswered = ({ content }: ZoneRecord) =>
    !('address' in content) || answered.includes(content.address);
  return new Map(
    [settings.edgeZone, settings.sandboxZone].map((name) => {
      const content = contentOf(name, settings, dns);
      const zone = createServedZone({ ...content, records: content.records.filter(isAnswered) });
      return [zone.key, zone];
    }),
  );
}

/** TTL of a challenge record, and of the negative answer before it exists. It is short, because a CA asks again within seconds. */
const CHALLENGE_TTL_S = 5;

/**
 * Returns the zone of delegated challenges, or null if the settings have no such zone (`Settings.challengeZone`).
 * @param findTexts returns the values of the TXT records at a label directly below the zone of challenges.
 */
export function challengeZoneOfSettings(
  settings: ZoneSettings & Pick<Settings, 'challengeZone'>,
  dns: DnsRoleSettings,
  findTexts: (label: string) => readonly string[],
): ServedZone | null {
  const { challengeZone } = settings;
  if (challengeZone === null) return null;
  const brief = { ...dns, ttlS: CHALLENGE_TTL_S, negativeTtlS: CHALLENGE_TTL_S };
  return createChallengeZone({ ...contentOf(challengeZone, settings, brief), records: [] }, findTexts);
}

function contentOf(name: string, settings: ZoneSettings, dns: DnsRoleSettings): ZoneContent {
  const { edgeIpv4, edgeIpv6 } = settings;
  const addresses: RecordContent[] = [
    ...edgeIpv4.map((address) => ({ type: 'A' as const, address })),
    ...edgeIpv6.map((address) => ({ type: 'AAAA' as const, address })),
  ];
  const issuers: RecordContent[] = dns.caaIssuers.map((value) => ({
    type: 'CAA',
    flags: 0,
    tag: 'issue',
    value,
  }));
  const servers = dns.servers.map((server) => ({
    name: server.name,
    addresses: isWithin(server.name, name) ? server.addresses : [],
  }));
  const records = [
    ...addresses.map((content) => ({ name: `*.${name}`, content })),
    ...issuers.map((content) => ({ name, content })),
  ];
  const rest = { name, servers, records, infrastructureTtlS: INFRASTRUCTURE_TTL_S, ttlS: dns.ttlS };
  const soa = {
    type: 'SOA' as const,
    primary: dns.servers[0]?.name ?? name,
    mailbox: mailboxName(dns.contact),
    negativeTtlS: dns.negativeTtlS,
  };
  return { ...rest, soa: { ...soa, serial: serialOf([rest, soa]) } };
}

/**
 * Returns the serial number of the SOA record, a hash of the zone's content. It does not have to grow, because no server copies the zone.
 * `service status` compares the serial numbers to find servers with different settings.
 */
function serialOf(content: unknown): number {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest();
  return Math.max(1, hash.readUInt32BE(0));
}

/** Returns a mail address in the form of a domain name (RFC 1035 section 8). The setting allows no dot before `@`. */
function mailboxName(contact: string): string {
  return contact.toLowerCase().replace('@', '.');
}
