import { describe, expect, test } from 'vitest';
import { FOREIGN_V4, FOREIGN_V6, lookup, PROOF, SUBDOMAIN, TARGET, V4, V6 } from '../survey-builder.ts';
import {
  ADDRESS,
  APEX_RIGHT,
  all,
  type Case,
  CLOUDFLARE,
  challenge,
  codesOf,
  doubled,
  ELSEWHERE,
  FLAT,
  HOST,
  NONE,
  RIGHT,
} from './cases.ts';

describe('the findings of a subdomain say what is wrong', () => {
  test.each<Case>([
    ['all right', { zone: [RIGHT, RIGHT], ...all(RIGHT) }, []],
    ['flattened, with the proof', { zone: [APEX_RIGHT], ...all(APEX_RIGHT) }, []],
    ['flattened, without the proof', { zone: [FLAT] }, ['dns_txt_missing']],
    [
      'flattened, with another proof',
      { zone: [{ ...FLAT, txt: ['TXT v=spf1 -all'] }] },
      ['dns_txt_mismatch'],
    ],
    ['no record', { zone: [NONE, NONE] }, ['dns_record_missing']],
    ['only a record of another type', { zone: [{ a: 'nodata' }] }, ['dns_record_missing']],
    ['no record according to every resolver', all(NONE), ['dns_record_missing']],
    ["someone else's CNAME target", { zone: [ELSEWHERE] }, ['dns_record_mismatch']],
    ['a CNAME that leads nowhere', { zone: [{ a: ['CNAME gone.example'] }] }, ['dns_record_mismatch']],
    ['a CNAME loop', { zone: [{ a: 'loop', aaaa: 'loop' }] }, ['dns_record_mismatch']],
    ["someone else's address", { zone: [ADDRESS] }, ['dns_record_mismatch']],
    [
      'an AAAA record beside the CNAME',
      { zone: [{ ...RIGHT, aaaa: [`AAAA ${FOREIGN_V6}`] }] },
      ['dns_conflicting_record'],
    ],
    [
      'an AAAA record beside the CNAME at one of two servers',
      { zone: [RIGHT, { ...RIGHT, aaaa: [`AAAA ${FOREIGN_V6}`] }] },
      ['dns_provider_syncing'],
    ],
    ['servers with different faults', { zone: [NONE, ELSEWHERE] }, ['dns_record_mismatch']],

    [
      'entered with the domain',
      { zone: [NONE], probes: doubled([`CNAME ${TARGET}`], 'nxdomain') },
      ['dns_doubled_host'],
    ],
    [
      'entered with the domain, under a wildcard to another service',
      { zone: [ELSEWHERE], probes: doubled([`CNAME ${TARGET}`], ['CNAME cname.vercel-dns.com']) },
      ['dns_doubled_host'],
    ],
    [
      'a wildcard that leads to us',
      { zone: [NONE], probes: doubled([`CNAME ${TARGET}`], [`CNAME ${TARGET}`]) },
      ['dns_record_missing'],
    ],
    [
      'a doubled name that leads elsewhere',
      { zone: [NONE], probes: doubled(['CNAME x.example'], 'nxdomain') },
      ['dns_record_missing'],
    ],
    [
      'a doubled name beside the right one',
      { zone: [RIGHT], ...all(RIGHT), probes: doubled([`CNAME ${TARGET}`], 'nxdomain') },
      [],
    ],
    [
      'the domain appended to the value',
      { zone: [{ a: [`CNAME ${TARGET}.acme.com`] }] },
      ['dns_doubled_target'],
    ],
    [
      "a host of the customer's own",
      { zone: [{ a: ['CNAME lb.acme.com', `A ${FOREIGN_V4}`] }] },
      ['dns_record_mismatch'],
    ],
    [
      "the value with someone else's domain appended",
      { zone: [{ a: [`CNAME ${TARGET}.evil.example`] }] },
      ['dns_record_mismatch'],
    ],

    [
      'proxied',
      { zone: [{ a: ['A 104.16.1.1'], aaaa: ['AAAA 2606:4700::1'] }], delegation: CLOUDFLARE },
      ['dns_proxied'],
    ],
    ['proxied, at an unknown provider', { zone: [{ a: ['A 172.67.1.1'] }] }, ['dns_proxied']],
    [
      "proxied by Cloudflare's own CNAME",
      { zone: [{ a: [`CNAME ${HOST}.cdn.cloudflare.net`, 'A 104.16.1.1'] }] },
      ['dns_proxied'],
    ],
    [
      'a service that is itself behind Cloudflare',
      { zone: [{ a: ['CNAME custom.example', 'A 104.16.1.1'] }], delegation: CLOUDFLARE },
      ['dns_record_mismatch'],
    ],
    [
      'an address of Cloudflare and another',
      { zone: [{ a: ['A 104.16.1.1', `A ${FOREIGN_V4}`] }] },
      ['dns_record_mismatch'],
    ],

    [
      'our addresses with others',
      { zone: [{ a: [`A ${V4}`, `A ${FOREIGN_V4}`] }] },
      ['dns_extra_addresses', 'dns_txt_missing'],
    ],
    [
      'our IPv6 addresses with others',
      { zone: [{ a: [`A ${V4}`], aaaa: [`AAAA ${V6}`, `AAAA ${FOREIGN_V6}`], txt: [`TXT ${PROOF}`] }] },
      ['dns_extra_addresses'],
    ],
    [
      'a foreign AAAA',
      { zone: [{ a: [`A ${V4}`], aaaa: [`AAAA ${FOREIGN_V6}`], txt: [`TXT ${PROOF}`] }] },
      ['dns_stale_aaaa'],
    ],
    ['a private address', { zone: [{ a: ['A 192.168.1.10'] }] }, ['dns_reserved_address']],
    ['a private IPv6 address', { zone: [{ a: 'nodata', aaaa: ['AAAA fd00::1'] }] }, ['dns_reserved_address']],

    [
      'a CNAME beside an address',
      {
        zone: [ADDRESS],
        probes: {
          besideCname: [lookup(HOST, 'CNAME', [`CNAME ${TARGET}`], { server: 'ns1.host.example' })],
        },
      },
      ['dns_conflicting_record'],
    ],
    [
      'a CNAME at one server and an address at another',
      {
        zone: [ADDRESS],
        probes: {
          besideCname: [lookup(HOST, 'CNAME', [`CNAME ${TARGET}`], { server: 'ns2.host.example' })],
        },
      },
      ['dns_record_mismatch'],
    ],
    [
      'a record at the target of the CNAME',
      {
        zone: [ELSEWHERE],
        probes: {
          besideCname: [
            lookup(HOST, 'TXT', ['CNAME cname.vercel-dns.com', 'TXT x'], { server: 'ns1.host.example' }),
          ],
        },
      },
      ['dns_record_mismatch'],
    ],
    [
      'an old record in a cache beside the new CNAME',
      {
        zone: [RIGHT],
        resolvers: [ADDRESS, RIGHT, RIGHT],
        probes: { besideCname: [lookup(HOST, 'CNAME', [`CNAME ${TARGET}`], { server: '1.1.1.1' })] },
      },
      ['dns_propagating'],
    ],
    [
      'a zone of its own without a record',
      { zone: [{ a: 'nodata' }], delegation: { zone: HOST } },
      ['dns_apex_cname', 'dns_txt_missing'],
    ],
    [
      'a zone of its own at a provider that flattens',
      { zone: [{ a: 'nodata' }], delegation: { ...CLOUDFLARE, zone: HOST } },
      ['dns_record_missing'],
    ],

    [
      'a challenge delegated to another provider',
      { zone: [NONE], probes: challenge('x.acme-dns.example') },
      ['dns_record_missing', 'dns_acme_challenge_conflict'],
    ],
    [
      'a challenge delegated to us',
      { zone: [NONE], probes: challenge(`_acme-challenge.${TARGET}`) },
      ['dns_record_missing'],
    ],
    [
      'a challenge redirected by a DNAME together with the hostname',
      {
        zone: [{ a: ['CNAME careers.brand.example', 'CNAME shops.example', `A ${FOREIGN_V4}`] }],
        probes: challenge('_acme-challenge.careers.brand.example'),
      },
      ['dns_record_mismatch'],
    ],
    [
      'a challenge made by a wildcard',
      {
        zone: [NONE],
        probes: { ...doubled(['CNAME x.example'], ['CNAME x.example']), ...challenge('x.example') },
      },
      ['dns_record_missing'],
    ],
  ])('have the expected codes in the case "%s"', (_, said, codes) => {
    expect(codesOf(SUBDOMAIN, said)).toEqual(codes);
  });
});
