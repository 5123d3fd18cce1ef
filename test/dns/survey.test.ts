import { afterEach, describe, expect, test } from 'vitest';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import { type Row, SOA_MINIMUM_S } from '../fixtures/dns/dns-server.ts';
import {
  APEX,
  HOST,
  outcomes,
  RIGHT,
  type SmallInternet,
  type SmallInternetOptions,
  SUBDOMAIN,
  smallInternet,
  TXT_VALUE,
  WRONG,
} from './small-internet.ts';

let net: SmallInternet;

afterEach(() => net[Symbol.asyncDispose]());

describe("the first survey of a hostname begins at the zone's own servers", () => {
  test("asks the zone's own servers, and the resolvers only once the zone is right", async () => {
    const survey = await surveyed(RIGHT);
    expect(outcomes(survey.authorities)).toEqual(['right', 'right']);
    expect(outcomes(survey.resolvers)).toEqual(['right', 'right', 'right']);
    expect(survey.authorities.map(({ server }) => server)).toEqual([
      'ns1.acme.test (127.0.0.3)',
      'ns2.acme.test (127.0.0.4)',
    ]);
    expect(survey.delegation).toEqual({
      zone: 'acme.test',
      registered: true,
      parent_servers: ['ns1.acme.test', 'ns2.acme.test'],
      own_servers: [],
      lame_servers: [],
    });
  });

  test('asks each resolver only for the A records of a right subdomain, and the zone also for AAAA records', async () => {
    await surveyed(RIGHT);
    expect(net.tld.asked).toEqual(['acme.test NS']);
    for (const server of [net.acme, net.acmeSecond])
      expect(server.asked).toEqual([`${HOST} A`, `${HOST} AAAA`]);
    expect(net.edge.asked).toEqual([]);
    const seen = net.resolvers.map(({ asked }) => asked.filter((line) => line.includes('acme')));
    expect(seen).toEqual([[`${HOST} A`], [`${HOST} A`], [`${HOST} A`]]);
  });

  test.each<[string, DnsExpectation]>([
    ['a subdomain', SUBDOMAIN],
    ['an apex', APEX],
  ])(
    'asks no resolver about the hostname or a name below it while the record is wrong, for %s',
    async (_, expectation) => {
      const survey = await surveyed([], expectation);
      expect(survey.resolvers).toEqual([]);
      const heard = net.resolvers.flatMap(({ asked }) => asked);
      expect(heard.filter((line) => line.includes(expectation.hostname))).toEqual([]);
      expect(heard.length).toBeGreaterThan(0);
    },
  );

  test('returns how long a negative answer may be cached', async () => {
    const survey = await surveyed([]);
    expect(survey.authorities[0]?.a).toMatchObject({ outcome: 'nxdomain', negative_ttl_s: SOA_MINIMUM_S });
  });

  test("does not ask the resolvers while the zone's own servers disagree", async () => {
    net = await smallInternet({ acme: RIGHT });
    net.acmeSecond.zones = { 'acme.test': [] };
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(outcomes(survey.authorities)).toEqual(['right', 'wrong']);
    expect(survey.resolvers).toEqual([]);
  });

  test.each([
    ['refuses', { rcode: 5 }],
    ['answers without authority', { authoritative: false }],
  ])('continues without a server that %s, and names that server', async (_, wrong) => {
    net = await smallInternet({ acme: RIGHT });
    net.acme.fault = () => wrong;
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(survey.delegation?.lame_servers).toEqual(['ns1.acme.test']);
    expect(outcomes(survey.authorities)).toEqual(['unknown', 'right']);
    expect(outcomes(survey.resolvers)).toEqual(['right', 'right', 'right']);
  });

  test('detects that the domain is not registered', async () => {
    const survey = await surveyed([], SUBDOMAIN, { tld: [] });
    expect(survey.delegation).toMatchObject({ zone: null, registered: false });
    expect(survey.authorities).toEqual([]);
  });

  test('is inconclusive if the servers of the parent zone do not respond', async () => {
    net = await smallInternet({ acme: RIGHT });
    net.tld.fault = () => ({ rcode: 2 });
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(survey.delegation).toMatchObject({ zone: null, registered: null });
  });

  test('finds a delegation of the hostname itself to other servers', async () => {
    const cut: Row[] = [[HOST, 'NS', 'ns.brand.test']];
    net = await smallInternet({ acme: cut });
    net.brand.zones = {
      ...net.brand.zones,
      [HOST]: [
        [HOST, 'A', '192.0.2.10'],
        [`_service.${HOST}`, 'TXT', TXT_VALUE],
      ],
    };
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(survey.delegation).toMatchObject({ zone: HOST, parent_servers: ['ns.brand.test'] });
    expect(outcomes(survey.authorities)).toEqual(['right']);
  });
});

test('the survey finds a delegation at the hostname even at servers that also serve the parent zone', async () => {
  net = await smallInternet({ acme: [[HOST, 'NS', 'ns1.acme.test']] });
  net.acme.zones = { ...net.acme.zones, [HOST]: [[HOST, 'NS', 'ns1.acme.test']] };
  const survey = await net.dns.survey(SUBDOMAIN, 'first');
  expect(survey.delegation).toMatchObject({ zone: HOST, parent_servers: ['ns1.acme.test'] });
  expect(survey.authorities).toMatchObject([{ a: { outcome: 'nodata' } }]);
});

describe('name servers of a zone in a survey', () => {
  test('with non-public addresses are not asked', async () => {
    net = await smallInternet({ acme: RIGHT });
    const survey = await net.look({ allowLoopback: false }).survey(SUBDOMAIN, 'first');
    expect(survey.delegation?.zone).toBeNull();
    expect(net.authorities.flatMap(({ asked }) => asked)).toEqual([]);
  });

  test('with a private address are named, with the reason why they were not asked', async () => {
    const survey = await surveyed(RIGHT, SUBDOMAIN, {
      tld: [
        ['acme.test', 'NS', 'ns1.acme.test'],
        ['ns1.acme.test', 'A', '169.254.169.254'],
      ],
    });
    expect(survey.authorities).toMatchObject([{ server: 'ns1.acme.test', a: { failure: 'not_allowed' } }]);
    // The survey may not query this server, so only the resolvers decide. All three return the record.
    expect(outcomes(survey.resolvers)).toEqual(['right', 'right', 'right']);
  });

  test("without glue are looked up, and glue for other zones' names is ignored", async () => {
    net = await smallInternet({
      acme: RIGHT,
      tld: [
        ['acme.test', 'NS', 'ns1.example'],
        ['ns1.example', 'A', '127.0.0.6'],
      ],
      cached: { example: [['ns1.example', 'A', '127.0.0.3']] },
    });
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(survey.authorities.map(({ server }) => server)).toEqual(['ns1.example (127.0.0.3)']);
    expect(outcomes(survey.authorities)).toEqual(['right']);
  });

  test('below the hostname are not looked up if they have no glue', async () => {
    const survey = await surveyed([], APEX, { tld: [['acme.test', 'NS', 'ns1.acme.test']] });
    expect(survey.authorities).toMatchObject([{ server: 'ns1.acme.test', a: { failure: 'unreachable' } }]);
    const heard = net.resolvers.flatMap(({ asked }) => asked);
    expect(heard.filter((line) => line.includes('ns1.acme.test'))).toEqual([]);
  });

  test('may also serve the parent zone', async () => {
    net = await smallInternet();
    net.tld.zones = {
      ...net.tld.zones,
      'acme.test': [['acme.test', 'NS', 'ns.nic.test'], ...RIGHT],
    };
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(survey.delegation).toMatchObject({ zone: 'acme.test', parent_servers: ['ns.nic.test'] });
    expect(outcomes(survey.authorities)).toEqual(['right']);
  });

  test('are asked up to a limit of four, always the same four', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((label) => `${label}.acme.test`);
    const tld = names.flatMap((name): Row[] => [
      ['acme.test', 'NS', name],
      [name, 'A', '127.0.0.3'],
    ]);
    const survey = await surveyed(RIGHT, SUBDOMAIN, { tld: tld.toReversed() });
    expect(survey.authorities.map(({ server }) => server.slice(0, 1))).toEqual(['a', 'b', 'c', 'd']);
    expect(survey.delegation?.parent_servers).toEqual(names);
  });
});

describe('a later survey of a hostname begins at the resolvers', () => {
  test('asks only the resolvers while all of them are right', async () => {
    net = await smallInternet({ acme: RIGHT });
    const survey = await net.dns.survey(SUBDOMAIN, 'again');
    expect(outcomes(survey.resolvers)).toEqual(['right', 'right', 'right']);
    expect(survey).toMatchObject({ delegation: null, authorities: [] });
    expect(net.authorities.flatMap(({ asked }) => asked)).toEqual([]);
  });

  test("also asks the zone if a resolver's answer differs", async () => {
    net = await smallInternet({ acme: RIGHT });
    const [first] = net.resolvers;
    if (first) first.zones = { ...first.zones, 'acme.test': WRONG };
    const survey = await net.dns.survey(SUBDOMAIN, 'again');
    expect(outcomes(survey.resolvers)).toEqual(['wrong', 'right', 'right']);
    expect(outcomes(survey.authorities)).toEqual(['right', 'right']);
  });

  test('ignores a resolver that does not recurse', async () => {
    net = await smallInternet({ acme: RIGHT });
    for (const resolver of net.resolvers) resolver.fault = () => ({ recursionAvailable: false });
    const survey = await net.dns.survey(SUBDOMAIN, 'again');
    expect(survey.resolvers.map(({ a }) => a.failure)).toEqual(['refused', 'refused', 'refused']);
  });
});

describe('a survey that asks only the zone costs little', () => {
  test('asks one question of one server of the zone about a right subdomain, and no resolver', async () => {
    net = await smallInternet({ acme: RIGHT });
    const surveys = [await net.dns.survey(SUBDOMAIN, 'zone'), await net.dns.survey(SUBDOMAIN, 'zone')];
    for (const survey of surveys) {
      expect(outcomes(survey.authorities)).toEqual(['right']);
      expect(survey).toMatchObject({ delegation: null, resolvers: [] });
    }
    // The second survey uses the cached delegation of the first survey, and queries the zone's other server.
    expect(net.tld.asked).toEqual(['acme.test NS']);
    expect([net.acme.asked, net.acmeSecond.asked]).toEqual([[`${HOST} A`], [`${HOST} A`]]);
    expect(net.edge.asked).toEqual([]);
    const heard = net.resolvers.flatMap(({ asked }) => asked);
    expect(heard.filter((line) => line.includes('acme'))).toEqual([]);
  });

  test('looks up the servers of the zone again after the record was not right', async () => {
    net = await smallInternet({ acme: RIGHT });
    await net.dns.survey(SUBDOMAIN, 'zone');
    for (const server of [net.acme, net.acmeSecond]) server.fault = () => ({ drop: true });
    expect(outcomes((await net.dns.survey(SUBDOMAIN, 'zone')).authorities)).toEqual(['unknown']);
    for (const server of [net.acme, net.acmeSecond]) server.fault = null;
    expect(outcomes((await net.dns.survey(SUBDOMAIN, 'zone')).authorities)).toEqual(['right']);
    expect(net.tld.asked).toEqual(['acme.test NS', 'acme.test NS']);
  });
});

async function surveyed(acme: readonly Row[], expectation = SUBDOMAIN, options: SmallInternetOptions = {}) {
  net = await smallInternet({ ...options, acme });
  return net.dns.survey(expectation, 'first');
}
