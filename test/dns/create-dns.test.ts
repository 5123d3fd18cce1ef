import { afterEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../shared/adapters/system.ts';
import { createCnameLookup } from '../../shared/dns/cname-lookup.ts';
import { createDns } from '../../shared/dns/create-dns.ts';
import { type DnsServer, dnsServer, type Fault, type Zones } from '../fixtures/dns/dns-server.ts';
import { TARGET as NET_TARGET, type SmallInternet, SUBDOMAIN, smallInternet } from './small-internet.ts';

const HOST = 'domains.ats.example';
const TARGET = 'k3x9.edge.test';
const ZONES: Zones = {
  'ats.example': [
    [HOST, 'CNAME', 'x.ats.example'],
    ['x.ats.example', 'CNAME', 'K3x9.Edge.test'],
  ],
  'edge.test': [['k3x9.edge.test', 'A', '192.0.2.10']],
};

/** The zone `ats.example` without any record. */
const EMPTY: Zones = { 'ats.example': [] };
const BLOCKS: Fault = () => ({ rcode: 3 });

const opened: DnsServer[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server[Symbol.asyncDispose]()));
});

describe('the CNAME chain of a white-label host is the chain that most resolvers return', () => {
  test('is looked up at each resolver', async () => {
    const dns = await asking(ZONES, ZONES, EMPTY);
    const lookups = await dns.chain(HOST);
    expect(lookups.map(({ outcome }) => outcome)).toEqual(['answer', 'answer', 'nxdomain']);
    expect(lookups[0]?.records.map(({ type, value }) => `${type} ${value}`)).toEqual([
      'CNAME x.ats.example',
      `CNAME ${TARGET}`,
      'A 192.0.2.10',
    ]);
  });

  test('is known if two of three resolvers agree', async () => {
    const dns = await asking(ZONES, EMPTY, ZONES);
    expect(await createCnameLookup(dns).chain(HOST, { target: TARGET, known: true })).toEqual([
      'x.ats.example',
      TARGET,
    ]);
  });

  test('is empty if two resolvers find no CNAME', async () => {
    const dns = await asking(ZONES, EMPTY, EMPTY);
    expect(await createCnameLookup(dns).chain(HOST, { target: TARGET, known: true })).toEqual([]);
  });

  test('is unknown if no two resolvers agree', async () => {
    const servfail: Fault = () => ({ rcode: 2 });
    const dns = await asking(ZONES, EMPTY, { zones: ZONES, fault: servfail });
    expect(await createCnameLookup(dns).chain(HOST, { target: TARGET, known: true })).toBeNull();
  });

  test('is unknown if two resolvers block the host and there is no spare resolver', async () => {
    const blocking = { zones: ZONES, fault: BLOCKS };
    const asked = { target: TARGET, known: true };
    const dns = await asking(ZONES, blocking, blocking);
    expect(await createCnameLookup(dns).chain(HOST, asked)).toBeNull();
    await using spare = await dnsServer({ zones: ZONES, recursion: true });
    const withSpare = dnsOf(
      opened.map(({ address }) => address),
      [spare.address],
    );
    expect(await createCnameLookup(withSpare).chain(HOST, asked)).toEqual(['x.ats.example', TARGET]);
  });

  test('comes from the only resolver if there is just one', async () => {
    const dns = await asking(ZONES);
    expect(await createCnameLookup(dns).chain(HOST, { target: TARGET, known: true })).toEqual([
      'x.ats.example',
      TARGET,
    ]);
  });
});

describe('a white-label host that is not verified yet is looked up with few questions', () => {
  const host = SUBDOMAIN.hostname;
  const asked = (net: SmallInternet) => net.resolvers.flatMap((resolver) => resolver.asked);

  test("is looked up only at its zone's own servers until they return the CNAME target", async () => {
    await using net = await smallInternet();
    const lookup = createCnameLookup(net.dns);
    expect(await lookup.chain(host, { target: NET_TARGET, known: false })).toEqual([]);
    expect(asked(net).filter((question) => question.startsWith(host))).toEqual([]);
  });

  test("is looked up at the resolvers once its zone's own servers return the CNAME target", async () => {
    await using net = await smallInternet({ acme: [[host, 'CNAME', NET_TARGET]] });
    await createCnameLookup(net.dns).chain(host, { target: NET_TARGET, known: false });
    expect(asked(net).filter((question) => question === `${host} A`)).toHaveLength(3);
  });
});

test('a survey asks resolvers only once about the zones above a hostname', async () => {
  await using net = await smallInternet();
  await net.dns.ownChain('acme.test', NET_TARGET);
  const asked = net.resolvers.flatMap((resolver) => resolver.asked.splice(0));
  expect(asked.toSorted()).toEqual(['ns.nic.test A', 'test NS']);
  await net.dns.ownChain('brand.test', NET_TARGET);
  expect(net.resolvers.flatMap((resolver) => resolver.asked)).toEqual([]);
});

test.each(['dns.example', '1.1.1.1:0', '1.1.1.1:65536', '', '[::1'])(
  'the setting for resolvers refuses "%s"',
  (resolver) => {
    expect(() => dnsOf([resolver])).toThrow(RangeError);
  },
);

test('a node does not start without a resolver', () => {
  expect(() => dnsOf([])).toThrow(RangeError);
});

test.each(['1.1.1.1', '1.1.1.1:5353', '2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:5353'])(
  'the setting for resolvers accepts "%s"',
  (resolver) => {
    expect(() => dnsOf([resolver])).not.toThrow();
  },
);

/** Creates a lookup. Each argument has the zones that one of its resolvers serves. */
async function asking(...each: (Zones | { zones: Zones; fault: Fault })[]) {
  for (const options of each) {
    const { zones, fault } = isFaulty(options) ? options : { zones: options, fault: undefined };
    opened.push(await dnsServer({ zones, recursion: true, ...(fault ? { fault } : {}) }));
  }
  return dnsOf(opened.map(({ address }) => address));
}

function isFaulty(options: object): options is { zones: Zones; fault: Fault } {
  return 'fault' in options;
}

function dnsOf(resolvers: readonly string[], spareResolvers: readonly string[] = []) {
  return createDns({
    resolvers,
    spareResolvers,
    allowLoopback: false,
    random: systemRandom,
    clock: { now: () => 0 },
    timeoutMs: 1000,
  });
}
