import { afterEach, describe, expect, test } from 'vitest';
import { isDefinite } from '../../shared/core/dns/dns-confirmation.ts';
import { type Lookup, NO_PROBES } from '../../shared/core/dns/dns-survey.ts';
import type { Row } from '../fixtures/dns/dns-server.ts';
import {
  HOST,
  RIGHT,
  type SmallInternet,
  type SmallInternetOptions,
  SUBDOMAIN,
  smallInternet,
  TARGET,
} from './small-internet.ts';

let net: SmallInternet;

afterEach(() => net[Symbol.asyncDispose]());

test('the survey makes no further lookups if everything is right', async () => {
  const { probes } = await surveyed(RIGHT);
  expect(probes).toEqual(NO_PROBES);
});

test('the survey makes no further lookups at silent servers, so that a check takes no longer than one question', async () => {
  net = await smallInternet();
  for (const server of [net.acme, net.acmeSecond]) server.fault = () => ({ drop: true });
  const survey = await net.look({ timeoutMs: 50 }).survey(SUBDOMAIN, 'first');
  expect(survey.authorities.map(({ a }) => a.failure)).toEqual(['timeout', 'timeout']);
  // Each name server gets the same query once over UDP and once over TCP.
  for (const { asked } of [net.acme, net.acmeSecond]) expect(new Set(asked)).toEqual(new Set([`${HOST} A`]));
});

describe('the survey looks for a record at the doubled hostname (careers.acme.com.acme.com)', () => {
  test('and finds it, but no record at a random name in the same zone', async () => {
    const { probes } = await surveyed([[`${HOST}.acme.test`, 'CNAME', TARGET]]);
    expect(probes.doubledHost).toMatchObject({ name: `${HOST}.acme.test`, records: [{ value: TARGET }] });
    expect(probes.doubledWildcard?.name).toMatch(/^[0-9a-f]{16}\.acme\.test\.acme\.test$/);
    expect(probes.doubledWildcard).toMatchObject({ outcome: 'nxdomain', records: [] });
  });

  test('and distinguishes the record from a wildcard by a random name with the same answer', async () => {
    const { probes } = await surveyed([['*.acme.test', 'CNAME', 'shop.brand.test']]);
    expect(probes.doubledHost?.records).toMatchObject([{ value: 'shop.brand.test' }]);
    expect(probes.doubledWildcard?.records).toMatchObject([{ value: 'shop.brand.test' }]);
  });

  test('and looks up no random name if there is no record', async () => {
    const { probes } = await surveyed([]);
    expect(probes.doubledHost).toMatchObject({ outcome: 'nxdomain' });
    expect(probes.doubledWildcard).toBeNull();
  });
});

test('the survey finds a CNAME at _acme-challenge, and does not follow the CNAME', async () => {
  const { probes } = await surveyed([[`_acme-challenge.${HOST}`, 'CNAME', 'x.brand.test']]);
  expect(probes.acmeChallenge?.records).toMatchObject([{ type: 'CNAME', value: 'x.brand.test' }]);
  expect(net.brand.asked).toEqual([]);
});

test('the survey finds records next to a CNAME, each by its type, at one server', async () => {
  net = await smallInternet({
    acme: [
      [HOST, 'CNAME', 'shop.brand.test'],
      [HOST, 'TXT', 'old'],
    ],
  });
  const { probes, authorities } = await net.dns.survey(SUBDOMAIN, 'first');
  const found = probes.besideCname.flatMap(({ records }) =>
    records.map(({ type, value }) => `${type} ${value}`),
  );
  expect(new Set(found)).toEqual(new Set(['CNAME shop.brand.test', 'TXT old']));
  expect(new Set(probes.besideCname.map(({ server }) => server))).toEqual(new Set([authorities[0]?.server]));
});

test("the survey reads the zone's own list of name servers if the record is wrong", async () => {
  net = await smallInternet();
  for (const server of [net.acme, net.acmeSecond]) {
    server.zones = {
      'acme.test': [
        ['acme.test', 'NS', 'ns9.acme.test'],
        ['acme.test', 'NS', 'ns1.acme.test'],
      ],
    };
  }
  const { delegation } = await net.dns.survey(SUBDOMAIN, 'first');
  expect(delegation?.own_servers).toEqual(['ns1.acme.test', 'ns9.acme.test']);
});

describe('if a resolver answers a survey with SERVFAIL', () => {
  test("the survey stores the resolver's extended errors, and asks the resolver again without DNSSEC validation", async () => {
    net = await smallInternet({ acme: RIGHT });
    for (const resolver of net.resolvers) {
      resolver.fault = ({ cd, name }) => (cd || name !== HOST ? {} : { rcode: 2, ede: 9 });
    }
    const { resolvers, probes } = await net.dns.survey(SUBDOMAIN, 'first');
    expect(resolvers.map(({ a }) => [a.failure, a.ede])).toEqual(resolvers.map(() => ['servfail', [9]]));
    expect(probes.unvalidated).toMatchObject({ outcome: 'answer', server: net.resolvers[0]?.address });
    expect(probes.doubledHost).toBeNull();
  });

  test('the second question fails too, unless DNSSEC was the reason', async () => {
    net = await smallInternet({ acme: RIGHT });
    for (const resolver of net.resolvers) resolver.fault = ({ name }) => (name === HOST ? { rcode: 2 } : {});
    const { probes } = await net.dns.survey(SUBDOMAIN, 'first');
    expect(probes.unvalidated).toMatchObject({ outcome: 'unknown', failure: 'servfail' });
  });
});

test.each([
  ['nothing', []],
  ['somebody else', [[HOST, 'CNAME', 'shop.brand.test']]],
] as const)('a full survey tells no resolver about a name that leads to %s', async (_, acme) => {
  net = await smallInternet({ acme });
  const { resolvers, probes } = await net.dns.survey(SUBDOMAIN, 'all');
  expect(resolvers).toEqual([]);
  expect(probes.caa.map(({ name, outcome }) => [name, outcome === 'unknown'])).toContainEqual([HOST, false]);
  const heard = net.resolvers.flatMap(({ asked }) => asked);
  expect(heard.filter((line) => line.includes('acme.test'))).toEqual([]);
});

test('a full survey asks every server about everything, even if everything is right', async () => {
  net = await smallInternet({
    acme: [...RIGHT, ['acme.test', 'CAA', { flags: 0, tag: 'issue', value: 'ca.test' }]],
  });
  const { authorities, resolvers, delegation, probes } = await net.dns.survey(SUBDOMAIN, 'all');
  expect(authorities).toHaveLength(2);
  expect(resolvers).toHaveLength(3);
  expect(delegation?.own_servers).toEqual(['ns1.acme.test', 'ns2.acme.test']);
  expect(probes.besideCname.length).toBeGreaterThan(0);
  expect(answersOf(probes.caa)).toContain('acme.test: 0 issue "ca.test"');
});

describe('CAA is looked up in a survey', () => {
  test('at the hostname, at its CNAME targets, and at every name above', async () => {
    net = await smallInternet({
      acme: [[HOST, 'CNAME', 'shop.brand.test']],
      brand: [['shop.brand.test', 'CAA', { flags: 128, tag: 'issue', value: ';' }]],
    });
    const lookups = await net.dns.caa(HOST);
    expect(lookups.map(({ name }) => name)).toEqual([
      HOST,
      'acme.test',
      'test',
      'shop.brand.test',
      'brand.test',
    ]);
    expect(answersOf(lookups)).toEqual([`${HOST}: 128 issue ";"`, 'shop.brand.test: 128 issue ";"']);
  });

  test('at the next resolver if one fails', async () => {
    net = await smallInternet({ acme: RIGHT });
    const [first] = net.resolvers;
    if (first) first.fault = () => ({ rcode: 2 });
    expect((await net.dns.caa(HOST)).every(isDefinite)).toBe(true);
  });

  test('and is unknown if every resolver fails', async () => {
    net = await smallInternet({ acme: RIGHT });
    for (const resolver of net.resolvers) resolver.fault = () => ({ rcode: 2 });
    expect((await net.dns.caa(HOST)).map(({ failure }) => failure)).toEqual([
      'servfail',
      'servfail',
      'servfail',
    ]);
  });
});

function answersOf(lookups: readonly Lookup[]): string[] {
  return lookups.flatMap(({ name, records }) =>
    records.flatMap(({ type, value }) => (type === 'CAA' ? [`${name}: ${value}`] : [])),
  );
}

async function surveyed(acme: readonly Row[], options: SmallInternetOptions = {}) {
  net = await smallInternet({ ...options, acme });
  return net.dns.survey(SUBDOMAIN, 'first');
}
