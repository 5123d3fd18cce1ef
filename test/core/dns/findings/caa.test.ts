import { describe, expect, test } from 'vitest';
import { caaLookups, SUBDOMAIN } from '../survey-builder.ts';
import { all, type Case, codesOf, ELSEWHERE, HOST, NONE, RIGHT, TIMEOUT } from './cases.ts';

describe('the findings for a CAA record say what forbids the certificate', () => {
  const caa = (said: Parameters<typeof caaLookups>[1]) => ({ probes: { caa: caaLookups(HOST, said) } });
  test.each<Case>([
    [
      'that allows us',
      { zone: [RIGHT], ...all(RIGHT), ...caa({ 'acme.com': ['CAA 0 issue "letsencrypt.org"'] }) },
      [],
    ],
    [
      'that forbids us',
      { zone: [RIGHT], ...all(RIGHT), ...caa({ 'acme.com': ['CAA 0 issue "digicert.com"'] }) },
      ['caa_forbids'],
    ],
    [
      'that forbids us, without a record yet',
      { zone: [NONE], ...caa({ 'acme.com': ['CAA 0 issue ";"'] }) },
      ['dns_record_missing', 'caa_forbids'],
    ],
    [
      'at a target that has to change anyway',
      { zone: [ELSEWHERE], ...caa({ [HOST]: ['CNAME cname.vercel-dns.com', 'CAA 0 issue "digicert.com"'] }) },
      ['dns_record_mismatch'],
    ],
    [
      'that cannot be looked up',
      { zone: [RIGHT], ...all(RIGHT), ...caa({ 'acme.com': 'servfail' }) },
      ['caa_lookup_failed'],
    ],
    [
      'that cannot be looked up, like everything else',
      { ...all(TIMEOUT), ...caa({ 'acme.com': 'timeout' }) },
      ['dns_resolver_unavailable'],
    ],
  ])('have the expected codes in the case "%s"', (_, said, codes) => {
    expect(codesOf(SUBDOMAIN, said)).toEqual(codes);
  });
});
