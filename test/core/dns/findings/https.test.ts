import { expect, test } from 'vitest';
import { diagnose } from '../../../../shared/core/dns/dns-findings.ts';
import type { Probes } from '../../../../shared/core/dns/dns-survey.ts';
import { APEX, lookup, SUBDOMAIN, surveyOf, TARGET, V4, V6 } from '../survey-builder.ts';
import { ADDRESS, APEX_RIGHT, all, CLOUDFLARE, codesOf, RIGHT } from './cases.ts';

const ELSEWHERE = '1 . ipv4hint=198.51.100.7';

const having = (name: string, ...values: string[]): Partial<Probes> => ({
  besideCname: [
    lookup(
      name,
      'HTTPS',
      values.map((value) => `HTTPS ${value}`),
    ),
  ],
});

test.each([
  ['names another server', '1 shops.example.net'],
  ['is an alias of another server', '0 shops.example.net'],
  ['says that there is no service', '0 .'],
  ['has an address that is not ours', `1 . ipv4hint=${V4},198.51.100.7`],
  ['has an IPv6 address that is not ours', '1 . key1="\\002h2" ipv6hint=2a00:1450::5'],
  ['names another port', '1 . port=8443'],
  ['has a key for Encrypted Client Hello', '1 . ech=AEX+DQ=='],
])('an HTTPS record that %s is reported, because browsers may not reach our edge', (_, value) => {
  const survey = surveyOf(APEX, {
    zone: [APEX_RIGHT],
    ...all(APEX_RIGHT),
    probes: having('acme.com', value),
  });
  expect(diagnose(survey, APEX)).toMatchObject([
    {
      code: 'dns_https_elsewhere',
      record: { type: 'HTTPS', name: '@' },
      found: value,
      changes: [{ action: 'remove', type: 'HTTPS', zone: 'acme.com', name: '@', value }],
    },
  ]);
});

test.each(['1 .', '1 acme.com port=443', `1 ${TARGET}`, `0 ${TARGET}`, `1 . ipv4hint=${V4} ipv6hint=${V6}`])(
  'no finding reports the HTTPS record %s, because browsers still reach our edge',
  (value) => {
    const said = { zone: [APEX_RIGHT], ...all(APEX_RIGHT), probes: having('acme.com', value) };
    expect(codesOf(APEX, said)).toEqual([]);
  },
);

test('an HTTPS record beside a right CNAME gets a finding that removes it', () => {
  const probes = having(SUBDOMAIN.hostname, '0 shops.example.net');
  const found = diagnose(surveyOf(SUBDOMAIN, { zone: [RIGHT], ...all(RIGHT), probes }), SUBDOMAIN);
  expect(found.map(({ code }) => code)).toEqual(['dns_https_elsewhere']);
  expect(found[0]?.changes).toMatchObject([{ action: 'remove', name: 'careers' }]);
});

test('the finding of a missing CNAME also removes an HTTPS record, which gets no finding of its own', () => {
  const { besideCname = [] } = having(SUBDOMAIN.hostname, ELSEWHERE);
  const probes = { besideCname: [lookup(SUBDOMAIN.hostname, 'A', ADDRESS.a), ...besideCname] };
  const [finding, ...rest] = diagnose(surveyOf(SUBDOMAIN, { zone: [ADDRESS], probes }), SUBDOMAIN);
  expect(rest).toEqual([]);
  expect(finding).toMatchObject({ code: 'dns_record_mismatch', record: { type: 'CNAME' } });
  expect(finding?.changes.map(({ action, type }) => `${action} ${type}`)).toEqual([
    'remove HTTPS',
    'replace CNAME',
  ]);
});

test('the HTTPS record of a proxy gets no finding', () => {
  const proxied = { a: ['A 104.16.1.1'], txt: APEX_RIGHT.txt };
  const probes = having('acme.com', '1 . ipv4hint=104.16.1.1');
  expect(codesOf(APEX, { zone: [proxied], delegation: CLOUDFLARE, probes })).toEqual(['dns_proxied']);
  const allowed = { ...APEX, proxies: ['104.16.1.1'] };
  expect(codesOf(allowed, { zone: [proxied], ...all(proxied), probes })).toEqual([]);
});
