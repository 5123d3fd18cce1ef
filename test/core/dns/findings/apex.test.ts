import { describe, expect, test } from 'vitest';
import { APEX, FOREIGN_V4, FOREIGN_V6, PROOF, V4, V6 } from '../survey-builder.ts';
import { APEX_RIGHT, all, type Case, CLOUDFLARE, codesOf, FLAT } from './cases.ts';

describe('the findings at an apex say what is wrong', () => {
  const at = (a: readonly string[], aaaa: readonly string[] = []) => ({
    zone: [{ a, aaaa: aaaa.length === 0 ? ('nodata' as const) : aaaa, txt: [`TXT ${PROOF}`] }],
  });

  test.each<Case>([
    ['all right', { zone: [APEX_RIGHT], ...all(APEX_RIGHT) }, []],
    [
      'without IPv6',
      { zone: [{ ...APEX_RIGHT, aaaa: 'nodata' }], ...all({ ...APEX_RIGHT, aaaa: 'nodata' }) },
      [],
    ],
    ['without the proof', { zone: [FLAT] }, ['dns_txt_missing']],
    ['with another proof', { zone: [{ ...FLAT, txt: ['TXT service-verify-2'] }] }, ['dns_txt_mismatch']],
    ['with the proof among others', { zone: [{ ...FLAT, txt: ['TXT a', `TXT ${PROOF}`] }] }, []],
    ['no record at all', { zone: [{ a: 'nodata' }] }, ['dns_record_missing', 'dns_txt_missing']],
    ['only the proof', { zone: [{ a: 'nodata', txt: [`TXT ${PROOF}`] }] }, ['dns_record_missing']],
    [
      'only AAAA',
      { zone: [{ a: 'nodata', aaaa: [`AAAA ${V6}`], txt: [`TXT ${PROOF}`] }] },
      ['dns_record_missing'],
    ],
    ["someone else's address", at(['A 76.76.21.21']), ['dns_record_mismatch']],
    ['a foreign AAAA', at([`A ${V4}`], [`AAAA ${FOREIGN_V6}`]), ['dns_stale_aaaa']],
    ['ours and others', at([`A ${V4}`, `A ${FOREIGN_V4}`]), ['dns_extra_addresses']],
    ['our AAAA in another spelling', at([`A ${V4}`], ['AAAA 2001:db8:0:0::10']), []],
    ['a CNAME, which is not allowed there', at(['CNAME x.example', `A ${FOREIGN_V4}`]), ['dns_apex_cname']],
    [
      'a CNAME that its provider flattens elsewhere',
      { ...at(['CNAME x.example', `A ${FOREIGN_V4}`]), delegation: { ...CLOUDFLARE } },
      ['dns_record_mismatch'],
    ],
    ['proxied', { ...at(['A 104.16.1.1']), delegation: { ...CLOUDFLARE } }, ['dns_proxied']],
    ['the proof removed after the route was taken', { zone: [FLAT], ...all(FLAT) }, ['dns_txt_missing']],
  ])('have the expected codes in the case "%s"', (_, said, codes) => {
    expect(codesOf(APEX, said)).toEqual(codes);
  });

  test('ask for no A record if the edge has only IPv6', () => {
    const expectation = { ...APEX, edgeIpv4: [] };
    const proof = [`TXT ${PROOF}`];
    expect(codesOf(expectation, { zone: [{ a: 'nodata', aaaa: [`AAAA ${V6}`], txt: proof }] })).toEqual([]);
    expect(codesOf(expectation, { zone: [{ a: 'nodata', txt: proof }] })).toEqual(['dns_record_missing']);
  });

  test('ask for no TXT record if the domain already has the route', () => {
    expect(codesOf({ ...APEX, txtRequired: false }, { zone: [FLAT], ...all(FLAT) })).toEqual([]);
  });
});
