import { afterEach, describe, expect, test } from 'vitest';
import { viewOutcome } from '../../shared/core/dns/dns-confirmation.ts';
import { lookupsOf } from '../../shared/core/dns/dns-lookups.ts';
import type { LookupFailure, NameView } from '../../shared/core/dns/dns-survey.ts';
import { dnsServer, type Row, type Wrong } from '../fixtures/dns/dns-server.ts';
import { APEX, type SmallInternet, SUBDOMAIN, smallInternet, TARGET, TXT_VALUE } from './small-internet.ts';

const HOST = SUBDOMAIN.hostname;
const RIGHT: readonly Row[] = [[HOST, 'CNAME', TARGET]];
const APEX_RIGHT: readonly Row[] = [
  [APEX.hostname, 'A', '192.0.2.10'],
  [APEX.txtName, 'TXT', TXT_VALUE],
];
const WRONG: readonly Row[] = [[HOST, 'CNAME', 'shop.brand.test']];

let net: SmallInternet;

afterEach(() => net[Symbol.asyncDispose]());

describe('a resolver in a DNS survey may block a name or refuse a question', () => {
  test.each<[string, Wrong, LookupFailure | null]>([
    ['says that it blocks the name', { rcode: 3, ede: 15 }, 'blocked'],
    ['says that a law makes it block the name', { ede: 16 }, 'blocked'],
    ['filters the name for its users, and names another address', { ede: 17 }, 'blocked'],
    ['denies the name without an SOA record', { rcode: 3 }, 'blocked'],
    ['denies the name and the recursion', { rcode: 3, recursionAvailable: false }, 'blocked'],
    ['does not serve us', { rcode: 5, ede: 18 }, 'refused'],
    ['adds another extended error', { ede: 3 }, null],
  ])('is listed with the right failure, or none, if it %s', async (_, wrong, failure) => {
    net = await smallInternet({ acme: RIGHT });
    const [first] = net.resolvers;
    if (first) first.fault = ({ name }) => (name === HOST ? wrong : undefined);
    for (const depth of ['first', 'again', 'all'] as const) {
      const survey = await net.dns.survey(SUBDOMAIN, depth);
      expect(survey.resolvers[0]?.a.failure).toBe(failure);
      expect(outcomes(survey.resolvers)).toEqual([failure === null ? 'right' : 'unknown', 'right', 'right']);
    }
  });

  test('is replaced by a spare resolver if it refuses a question, or blocks the hostname or the name of the TXT record', async () => {
    net = await smallInternet({ acme: APEX_RIGHT });
    await using spare = await dnsServer({
      zones: { 'acme.test': APEX_RIGHT },
      recursion: true,
    });
    const look = net.look({ spareResolvers: [spare.address] });
    const [first] = net.resolvers;
    for (const [asked, wrong] of [
      [APEX.hostname, { rcode: 3 }],
      [APEX.txtName, { rcode: 3 }],
      [APEX.hostname, { rcode: 5 }],
    ] as const) {
      if (first) first.fault = ({ name }) => (name === asked ? wrong : undefined);
      const survey = await look.survey(APEX, 'again');
      expect(outcomes(survey.resolvers, APEX)).toEqual(['right', 'right', 'right']);
      expect(survey.resolvers[0]?.server).toBe(spare.address);
      expect(survey.replaced).toMatchObject([{ server: first?.address }]);
      expect(lookupsOf(survey).map(({ server }) => server)).toContain(first?.address);
    }
  });

  test('is not replaced if no spare resolver is left, if it does not respond, or if the zone has a wrong record', async () => {
    net = await smallInternet({ acme: RIGHT });
    await using spare = await dnsServer({ zones: { 'acme.test': RIGHT }, recursion: true });
    const look = net.look({ spareResolvers: [spare.address], timeoutMs: 50 });
    const [first, second] = net.resolvers;
    if (first && second) first.fault = second.fault = () => ({ rcode: 3 });
    const survey = await look.survey(SUBDOMAIN, 'again');
    expect(outcomes(survey.resolvers)).toEqual(['right', 'unknown', 'right']);
    if (first && second) [first.fault, second.fault] = [() => ({ drop: true }), null];
    expect(outcomes((await look.survey(SUBDOMAIN, 'again')).resolvers)).toEqual([
      'unknown',
      'right',
      'right',
    ]);
    if (first) first.fault = () => ({ rcode: 3 });
    for (const server of [net.acme, net.acmeSecond]) server.zones = { 'acme.test': WRONG };
    spare.asked.length = 0;
    await look.survey(SUBDOMAIN, 'again');
    expect(spare.asked.filter((line) => line.includes('acme'))).toEqual([]);
  });

  test("does not count as blocking if the zone's own servers also deny the name without an SOA record", async () => {
    net = await smallInternet({ acme: [] });
    for (const server of [net.acme, net.acmeSecond, ...net.resolvers]) {
      server.fault = ({ name }) => (name === HOST ? { rcode: 3 } : undefined);
    }
    const survey = await net.dns.survey(SUBDOMAIN, 'again');
    expect(outcomes(survey.resolvers)).toEqual(['wrong', 'wrong', 'wrong']);
    const [first] = net.resolvers;
    if (first) first.fault = ({ name }) => (name === HOST ? { rcode: 3, ede: 17 } : undefined);
    expect(outcomes((await net.dns.survey(SUBDOMAIN, 'again')).resolvers)).toEqual([
      'unknown',
      'wrong',
      'wrong',
    ]);
  });
});

function outcomes(views: readonly NameView[], expectation = SUBDOMAIN): string[] {
  return views.map((view) => viewOutcome(view, expectation));
}
