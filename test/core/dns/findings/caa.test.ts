import { describe, expect, test } from 'vitest';
import { caaLookups, SUBDOMAIN } from '../survey-builder.ts';
import { all, type Case, codesOf, ELSEWHERE, HOST, NONE, RIGHT, TIMEOUT } from './cases.ts';

describe('CAA', () => {
  const caa = (said: Parameters<typeof caaLookups>[1]) => ({ probes: { caa: caaLookups(HOST, said) } });
  test.each<Case>([
    [
      'allows us',
      { zone: [RIGHT], ...all(RIGHT), ...caa({ 'acme.com': ['CAA 0 issue "letsencrypt.org"'] }) },
      [],
    ],
    [
      'forbids',
      { zone: [RIGHT], ...all(RIGHT), ...caa({ 'acme.com': ['CAA 0 issue "digicert.com"'] }) },
      ['caa_forbids'],
    ],
    [
      'forbids, and no record yet',
      { zone: [NONE], ...caa({ 'acme.com': ['CAA 0 issue ";"'] }) },
      ['dns_record_missing', 'caa_forbids'],
    ],
    [
      'of a target that has to change anyway',
      { zone: [ELSEWHERE], ...caa({ [HOST]: ['CNAME cname.vercel-dns.com', 'CAA 0 issue "digicert.com"'] }) },
      ['dns_record_mismatch'],
    ],
    ['fails', { zone: [RIGHT], ...all(RIGHT), ...caa({ 'acme.com': 'servfail' }) }, ['caa_lookup_failed']],
    [
      'fails, as everything does',
      { ...all(TIMEOUT), ...caa({ 'acme.com': 'timeout' }) },
      ['dns_resolver_unavailable'],
    ],
  ])('%s', (_, said, codes) => {
    expect(codesOf(SUBDOMAIN, said)).toEqual(codes);
  });
});
