import { randomInt } from 'node:crypto';
import { systemRandom } from '../../shared/adapters/system.ts';
import { viewOutcome } from '../../shared/core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import type { NameView } from '../../shared/core/dns/dns-survey.ts';
import { createDns, type DnsOptions } from '../../shared/dns/create-dns.ts';
import type { Dns } from '../../shared/ports/dns.ts';
import { type DnsServer, dnsServer, type Row, type Zones } from '../fixtures/dns/dns-server.ts';

/**
 * A small DNS on loopback: one name server each for the zones `test`, `brand.test` and `edge.test`, two for the customer's zone
 * `acme.test`, and three resolvers. Each name server has its own IP address.
 */
export interface SmallInternet extends AsyncDisposable {
  dns: Dns;
  tld: DnsServer;
  acme: DnsServer;
  acmeSecond: DnsServer;
  brand: DnsServer;
  edge: DnsServer;
  resolvers: readonly DnsServer[];
  /** All servers except the resolvers. */
  authorities: readonly DnsServer[];
  /** Creates another DNS client for the same servers, with its own cache. */
  look(options?: Partial<DnsOptions>): Dns;
}

export const TARGET = 'k3x9.edge.test';
export const TXT_VALUE = 'service-verify=abc';
export const SUBDOMAIN: DnsExpectation = {
  hostname: 'careers.acme.test',
  registrable: 'acme.test',
  is_apex: false,
  targets: [TARGET],
  host: null,
  edgeIpv4: ['192.0.2.10'],
  edgeIpv6: ['2001:db8::10'],
  txtName: '_service.careers.acme.test',
  txt_value: TXT_VALUE,
  txtRequired: true,
  caaIssuers: ['letsencrypt.org'],
};
export const APEX: DnsExpectation = {
  ...SUBDOMAIN,
  hostname: 'acme.test',
  is_apex: true,
  txtName: '_service.acme.test',
};
export const HOST = SUBDOMAIN.hostname;
/** The CNAME record that the customer should add. `WRONG` has another target. */
export const RIGHT: readonly Row[] = [[HOST, 'CNAME', TARGET]];
export const WRONG: readonly Row[] = [[HOST, 'CNAME', 'shop.brand.test']];

export function outcomes(views: readonly NameView[], expectation = SUBDOMAIN): string[] {
  return views.map((view) => viewOutcome(view, expectation));
}

export interface SmallInternetOptions {
  /** Records of the zone `test`, in place of the delegations to the other zones. */
  tld?: readonly Row[];
  /** Records to add to `acme.test`. */
  acme?: readonly Row[];
  /** Records to add to `brand.test`. */
  brand?: readonly Row[];
  /** Zones that the resolvers serve in place of the real ones, as if from an old cache. */
  cached?: Zones;
}

const ACME_SERVERS: readonly Row[] = [
  ['acme.test', 'NS', 'ns1.acme.test'],
  ['acme.test', 'NS', 'ns2.acme.test'],
  ['ns1.acme.test', 'A', '127.0.0.3'],
  ['ns2.acme.test', 'A', '127.0.0.4'],
];
const BRAND_SERVERS: readonly Row[] = [
  ['brand.test', 'NS', 'ns.brand.test'],
  ['ns.brand.test', 'A', '127.0.0.6'],
];
const EDGE_SERVERS: readonly Row[] = [
  ['edge.test', 'NS', 'ns.edge.test'],
  ['ns.edge.test', 'A', '127.0.0.5'],
];
const TLD_SERVERS: readonly Row[] = [
  ['test', 'NS', 'ns.nic.test'],
  ['ns.nic.test', 'A', '127.0.0.2'],
];

export async function smallInternet(options: SmallInternetOptions = {}): Promise<SmallInternet> {
  const tldRows = options.tld ?? [...ACME_SERVERS, ...BRAND_SERVERS, ...EDGE_SERVERS];
  const zones = {
    test: [...TLD_SERVERS, ...tldRows],
    'acme.test': [...ACME_SERVERS, ...(options.acme ?? [])],
    'brand.test': [...BRAND_SERVERS, ...(options.brand ?? [])],
    'edge.test': [
      ...EDGE_SERVERS,
      ['*.edge.test', 'A', '192.0.2.10'],
      ['*.edge.test', 'AAAA', '2001:db8::10'],
    ],
  } satisfies Zones;
  const [tld, acme, acmeSecond, edge, brand] = await onOnePort([
    ['127.0.0.2', { test: zones.test }],
    ['127.0.0.3', { 'acme.test': zones['acme.test'] }],
    ['127.0.0.4', { 'acme.test': zones['acme.test'] }],
    ['127.0.0.5', { 'edge.test': zones['edge.test'] }],
    ['127.0.0.6', { 'brand.test': zones['brand.test'] }],
  ]);
  if (!tld || !acme || !acmeSecond || !edge || !brand) throw new Error('a server is missing');
  const knows = () => dnsServer({ zones: { ...zones, ...options.cached }, recursion: true });
  const resolvers = await Promise.all([knows(), knows(), knows()]);
  const look: SmallInternet['look'] = (other = {}) =>
    createDns({
      resolvers: resolvers.map(({ address }) => address),
      authorityPort: tld.port,
      allowLoopback: true,
      random: systemRandom,
      clock: { now: () => 0 },
      timeoutMs: 1000,
      ...other,
    });
  const authorities = [tld, acme, acmeSecond, edge, brand];
  return {
    dns: look(),
    tld,
    acme,
    acmeSecond,
    brand,
    edge,
    resolvers,
    authorities,
    look,
    async [Symbol.asyncDispose]() {
      await Promise.all([...authorities, ...resolvers].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

/** Starts all servers on the same port, each at its own IP address. The port is below the range that systems use for outgoing packets. */
async function onOnePort(servers: readonly (readonly [ip: string, zones: Zones])[]): Promise<DnsServer[]> {
  for (let left = 10; ; left -= 1) {
    const port = randomInt(15_000, 30_000);
    const tried = await Promise.allSettled(servers.map(([ip, zones]) => dnsServer({ ip, port, zones })));
    const open = tried.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (open.length === servers.length) return open;
    await Promise.all(open.map((server) => server[Symbol.asyncDispose]()));
    if (left === 0)
      throw new Error(`no port is free at every one of ${servers.map(([ip]) => ip).join(', ')}`);
  }
}
