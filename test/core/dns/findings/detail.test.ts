import { describe, expect, test } from 'vitest';
import type { DnsExpectation } from '../../../../shared/core/dns/dns-expectation.ts';
import { diagnose } from '../../../../shared/core/dns/dns-findings.ts';
import type { ReasonCode } from '../../../../shared/core/reasons.ts';
import {
  APEX,
  caaLookups,
  FOREIGN_V4,
  FOREIGN_V6,
  PROOF,
  type SaidSurvey,
  SUBDOMAIN,
  surveyOf,
  TARGET,
  V4,
  V6,
} from '../survey-builder.ts';
import { all, DOUBLED, doubled, ELSEWHERE, FLAT, HOST, NONE, RIGHT, SERVFAIL, TIMEOUT } from './cases.ts';

describe('the status detail of a domain explains the finding', () => {
  test.each<[ReasonCode, DnsExpectation, SaidSurvey, object]>([
    [
      'dns_record_missing',
      SUBDOMAIN,
      { zone: [NONE] },
      {
        record: { type: 'CNAME', name: 'careers' },
        expected: TARGET,
        found: null,
        hint: `At the DNS provider, add a record of type CNAME named careers with the value ${TARGET}.`,
        retryable: false,
      },
    ],
    [
      'dns_record_missing',
      SUBDOMAIN,
      { zone: [NONE], delegation: { zone: 'careers.acme.com', parent_servers: ['ada.ns.cloudflare.com'] } },
      {
        record: { type: 'CNAME', name: '@' },
      },
    ],
    [
      'dns_record_missing',
      APEX,
      { zone: [{ a: 'nodata' }] },
      { record: { type: 'A', name: '@' }, expected: V4 },
    ],
    ['dns_record_mismatch', SUBDOMAIN, { zone: [ELSEWHERE] }, { found: 'cname.vercel-dns.com (Vercel)' }],
    [
      'dns_record_mismatch',
      APEX,
      { zone: [{ a: ['A 185.199.108.153'] }] },
      { found: '185.199.108.153 (GitHub Pages)' },
    ],
    [
      'dns_record_mismatch',
      SUBDOMAIN,
      { zone: [{ a: ['CNAME x.notvercel-dns.com'] }] },
      { found: 'x.notvercel-dns.com' },
    ],
    [
      'dns_doubled_host',
      SUBDOMAIN,
      { zone: [NONE], probes: doubled([`CNAME ${TARGET}`], 'nxdomain') },
      {
        record: { type: 'CNAME', name: 'careers' },
        found: DOUBLED,
      },
    ],
    [
      'dns_doubled_target',
      SUBDOMAIN,
      { zone: [{ a: [`CNAME ${TARGET}.acme.com`] }] },
      { expected: TARGET, found: `${TARGET}.acme.com` },
    ],
    [
      'dns_extra_addresses',
      APEX,
      { zone: [{ a: [`A ${V4}`, `A ${FOREIGN_V4}`], aaaa: [`AAAA ${FOREIGN_V6}`] }] },
      {
        expected: `${V4}, ${V6}`,
        found: `${FOREIGN_V4}, ${FOREIGN_V6}`,
      },
    ],
    [
      'dns_stale_aaaa',
      APEX,
      { zone: [{ a: [`A ${V4}`], aaaa: [`AAAA ${FOREIGN_V6}`] }] },
      {
        record: { type: 'AAAA', name: '@' },
        expected: V6,
      },
    ],
    [
      'dns_reserved_address',
      SUBDOMAIN,
      { zone: [{ a: ['A 10.0.0.1'] }] },
      {
        record: { type: 'A', name: 'careers' },
        hint: `Replace the address 10.0.0.1 at careers with a record that points to us: type CNAME, value ${TARGET}.`,
      },
    ],
    [
      'dns_txt_missing',
      APEX,
      { zone: [FLAT] },
      { record: { type: 'TXT', name: '_service' }, expected: PROOF },
    ],
    ['dns_txt_missing', SUBDOMAIN, { zone: [FLAT] }, { record: { type: 'TXT', name: '_service.careers' } }],
    [
      'dns_propagating',
      SUBDOMAIN,
      { zone: [RIGHT], resolvers: [NONE, RIGHT, RIGHT] },
      {
        hint: 'No action needed: wait at most 300 seconds until the old answer expires.',
        retryable: true,
      },
    ],
    [
      'dns_propagating',
      SUBDOMAIN,
      { zone: [RIGHT], resolvers: [ELSEWHERE, RIGHT, RIGHT] },
      {
        found: 'cname.vercel-dns.com',
        hint: expect.stringContaining('at most 300 seconds'),
      },
    ],
    ['dns_provider_syncing', SUBDOMAIN, { zone: [RIGHT, NONE] }, { found: 'ns2.host.example', record: null }],
    [
      'dns_resolver_unavailable',
      SUBDOMAIN,
      { resolvers: [RIGHT, RIGHT, TIMEOUT] },
      { found: '9.9.9.9: timeout' },
    ],
    [
      'dns_delegation_lame',
      SUBDOMAIN,
      { ...all(SERVFAIL), delegation: { lame_servers: ['ns1.host.example'] } },
      { found: 'ns1.host.example' },
    ],
    [
      'dnssec_invalid',
      SUBDOMAIN,
      all({ ...SERVFAIL, ede: [6, 9, 22] }),
      { found: 'SERVFAIL, DNSSEC Bogus (EDE 6), DNSKEY Missing (EDE 9)' },
    ],
    [
      'caa_forbids',
      SUBDOMAIN,
      {
        resolvers: [RIGHT, RIGHT, RIGHT],
        probes: { caa: caaLookups(HOST, { 'acme.com': ['CAA 0 issue "digicert.com"'] }) },
      },
      {
        record: { type: 'CAA', name: '@' },
        expected: '0 issue "letsencrypt.org"',
      },
    ],
  ])('the detail of %s says what to enter', (code, expectation, said, detail) => {
    const finding = diagnose(surveyOf(expectation, said), expectation).find((each) => each.code === code);
    expect(finding).toMatchObject(detail);
  });
});
