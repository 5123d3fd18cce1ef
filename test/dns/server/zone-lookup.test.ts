import { expect, test } from 'vitest';
import { createServedZone, findAnswer, nameKey } from '../../../shared/dns/server/zone.ts';
import { CLIENT, queryOf, responderOf, servedZones, shown } from './served-zones.ts';

const SOA = 'edge.example.net 60 SOA ns1.example.net hostmaster.example.net 7 60';
const SANDBOX_SOA = `sandbox.${SOA}`;
const respond = responderOf();

/** Queries the zones over TCP, where every response fits. */
const ask = (name: string, type: string) => shown(respond(queryOf(name, type), 'tcp', CLIENT));

test.each([
  ['k7m2q9.edge.example.net', 'A', ['300 A 192.0.2.10', '300 A 192.0.2.11']],
  ['k7m2q9.edge.example.net', 'AAAA', ['300 AAAA 2001:db8::10']],
  ['a.b.edge.example.net', 'AAAA', ['300 AAAA 2001:db8::10']],
  ['*.edge.example.net', 'AAAA', ['300 AAAA 2001:db8::10']],
  ['dom_1.sandbox.edge.example.net', 'A', ['300 A 192.0.2.20']],
  ['ns2.dns.edge.example.net', 'A', ['300 A 192.0.2.53']],
  ['edge.example.net', 'CAA', ['300 CAA 0 issue letsencrypt.org']],
  ['edge.example.net', 'SOA', ['3600 SOA ns1.example.net hostmaster.example.net 7 60']],
])("the zone's answer for %s %s has the records %j", (name, type, records) => {
  expect(ask(name, type)).toEqual({
    status: 'NOERROR aa',
    answers: records.map((record) => `${name} ${record}`),
    authorities: [],
    additionals: [],
  });
});

test("the zone's answer for NS also has the addresses of the name servers that are inside the zone", () => {
  expect(ask('edge.example.net', 'NS')).toEqual({
    status: 'NOERROR aa',
    answers: [
      'edge.example.net 3600 NS ns1.example.net',
      'edge.example.net 3600 NS ns2.dns.edge.example.net',
    ],
    authorities: [],
    additionals: [
      'ns2.dns.edge.example.net 300 A 192.0.2.53',
      'ns2.dns.edge.example.net 300 AAAA 2001:db8::53',
    ],
  });
});

test.each([
  ['the zone has no address of its own', 'edge.example.net', 'A', SOA],
  ['a target has no TXT', 'k7m2q9.edge.example.net', 'TXT', SOA],
  ['a target has no CAA, so that the policy of the customer counts', 'k7m2q9.edge.example.net', 'CAA', SOA],
  ['a name between two others exists without records', 'dns.edge.example.net', 'A', SOA],
  ['the DS of a zone is the business of its parent', 'sandbox.edge.example.net', 'DS', SOA],
  ['the DS of a zone without a parent here', 'edge.example.net', 'DS', SOA],
  ['the zone below has its own SOA', 'dom_1.sandbox.edge.example.net', 'AAAA', SANDBOX_SOA],
])("the zone's answer has only an SOA record if %s", (_, name, type, soa) => {
  expect(ask(name, type)).toEqual({
    status: 'NOERROR aa',
    answers: [],
    authorities: [soa],
    additionals: [],
  });
});

test.each(['a.ns2.dns.edge.example.net', 'other.dns.edge.example.net'])(
  "the zone's answer is NXDOMAIN for %s, because a wildcard does not apply below a name that exists",
  (name) => {
    const { status, authorities } = ask(name, 'A');
    expect([status, ...authorities]).toEqual(['NXDOMAIN aa', SOA]);
  },
);

test.each(['example.net', 'edge.example.org', 'xedge.example.net', 'net', '.'])(
  'a query for %s is refused, because the name is in no zone of the server',
  (name) => {
    expect(ask(name, 'A')).toEqual({ status: 'REFUSED', answers: [], authorities: [], additionals: [] });
  },
);

test('the zone answers a query for ANY with one set of records', () => {
  expect(ask('k7m2q9.edge.example.net', 'ANY').answers).toEqual([
    'k7m2q9.edge.example.net 300 A 192.0.2.10',
    'k7m2q9.edge.example.net 300 A 192.0.2.11',
  ]);
  expect(ask('dns.edge.example.net', 'ANY').authorities).toEqual([SOA]);
});

test('the lookup returns the offset at which the zone begins within the name', () => {
  const zones = servedZones();
  expect(findAnswer(zones, nameKey('a.sandbox.edge.example.net'), 1).zoneStart).toBe(2);
  expect(findAnswer(zones, nameKey('a.b.edge.example.net'), 1).zoneStart).toBe(4);
});

test('a zone refuses records for names outside it', () => {
  expect(() =>
    createServedZone({
      name: 'edge.test',
      soa: { type: 'SOA', primary: 'ns.test', mailbox: 'a.test', serial: 1, negativeTtlS: 60 },
      servers: [{ name: 'ns.other.test', addresses: ['192.0.2.1'] }],
      records: [],
      infrastructureTtlS: 60,
      ttlS: 60,
    }),
  ).toThrow('ns.other.test is not in the zone edge.test');
});
