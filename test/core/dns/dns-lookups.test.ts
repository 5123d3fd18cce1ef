import { expect, test } from 'vitest';
import { lookupsOf } from '../../../shared/core/dns/dns-lookups.ts';
import { caaLookups, lookup, SUBDOMAIN, surveyOf, TARGET } from './survey-builder.ts';

const HOST = SUBDOMAIN.hostname;
const RIGHT = { a: [`CNAME ${TARGET}`] };

function shown(...args: Parameters<typeof surveyOf>): string[] {
  return lookupsOf(surveyOf(...args)).map(({ asked, server, name, type }) =>
    [asked, server, name, type].join(' '),
  );
}

test("a diagnosis lists its lookups in order: the zone's own servers, then resolvers, then probes", () => {
  const lines = shown(SUBDOMAIN, {
    zone: [RIGHT],
    resolvers: [RIGHT],
    probes: {
      acmeChallenge: lookup(`_acme-challenge.${HOST}`, 'CNAME', 'nxdomain'),
      caa: caaLookups(HOST, {}),
    },
  });
  expect(lines).toEqual([
    `authority ns1.host.example ${HOST} A`,
    `authority ns1.host.example ${HOST} AAAA`,
    `authority ns1.host.example ${SUBDOMAIN.txtName} TXT`,
    `resolver 1.1.1.1 ${HOST} A`,
    `resolver 1.1.1.1 ${HOST} AAAA`,
    `resolver 1.1.1.1 ${SUBDOMAIN.txtName} TXT`,
    `probe resolver _acme-challenge.${HOST} CNAME`,
    `probe resolver ${HOST} CAA`,
    'probe resolver acme.com CAA',
    'probe resolver com CAA',
  ]);
});

test('a diagnosis leaves out lookups that were not made', () => {
  expect(shown(SUBDOMAIN, {})).toEqual([]);
});

test('a diagnosis lists a repeated lookup once, unless it was repeated without DNSSEC validation', () => {
  const beside = (type: 'A' | 'MX') =>
    lookup(HOST, type as 'A', [`${type} 1`], { server: 'ns1.host.example' });
  const unvalidated = lookup(HOST, 'A', RIGHT.a, { server: '1.1.1.1' });
  const lines = shown(SUBDOMAIN, {
    zone: [RIGHT],
    resolvers: [{ a: 'servfail' }],
    probes: {
      besideCname: [beside('A'), lookup(HOST, 'NS', 'nodata', { server: 'ns1.host.example' })],
      unvalidated,
    },
  });
  expect(lines.filter((line) => line.startsWith('probe'))).toEqual([
    `probe ns1.host.example ${HOST} NS`,
    `probe 1.1.1.1 ${HOST} A`,
  ]);
});

test('a diagnosis lists at most 32 records per lookup', () => {
  const many = Array.from({ length: 100 }, (_, index) => `A 192.0.2.${index}`);
  const [first] = lookupsOf(surveyOf(SUBDOMAIN, { zone: [{ a: many }] }));
  expect(first?.records).toHaveLength(32);
});
