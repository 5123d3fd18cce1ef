import crypto from 'node:crypto';
import { expect, test } from 'vitest';
import type { TrustLink } from '../../../shared/core/dns/dns-survey.ts';
import { brokenLink } from '../../../shared/core/dns/trust-chain.ts';
import { spyOnBuiltIn } from '../../fixtures/spy-on-built-in.ts';
import { lookup, type Said, SUBDOMAIN, surveyOf } from './survey-builder.ts';

/** The zone, key and DS record of the example in RFC 4509 section 2.3. */
const ZONE = 'dskey.example.com';
const KEY =
  'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==';
const DS = '60485 5 2 D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A';
const STALE = `1 13 2 ${'AB'.repeat(32)}`;

function link(ds: Said, keys: readonly Said[], zone = ZONE): TrustLink {
  return {
    zone,
    parent: 'example.com',
    ds: lookup(zone, 'DS', ds),
    keys: keys.map((said) => lookup(zone, 'DNSKEY', said)),
  };
}

test.each<[title: string, links: readonly TrustLink[], broken: readonly string[] | null]>([
  ['a DS record of the key', [link([`DS ${DS}`], [[`DNSKEY 256 3 5 ${KEY}`]])], null],
  ['another DS record beside it', [link([`DS ${STALE}`, `DS ${DS}`], [[`DNSKEY 256 3 5 ${KEY}`]])], null],
  ['a zone without keys', [link([`DS ${DS}`], ['nodata', 'nodata'])], [DS]],
  ['a DS record of another key', [link([`DS ${STALE}`], [[`DNSKEY 256 3 5 ${KEY}`]])], [STALE]],
  ['two DS records of other keys', [link([`DS ${STALE}`, `DS 2${STALE}`], ['nodata'])], [STALE, `2${STALE}`]],
  ['a revoked key', [link([`DS ${DS}`], [[`DNSKEY 384 3 5 ${KEY}`]])], [DS]],
  ['a key that is not of the zone', [link([`DS ${DS}`], [[`DNSKEY 0 3 5 ${KEY}`]])], [DS]],
  ['no DS record', [link('nodata', [])], null],
  [
    'a DS record of an algorithm that resolvers ignore',
    [link([`DS 1 3 2 ${'AB'.repeat(32)}`], ['nodata'])],
    null,
  ],
  ['a server that does not say its keys', [link([`DS ${DS}`], ['nodata', 'timeout'])], null],
  ['a parent that does not say its DS records', [link('servfail', [])], null],
  [
    'a stale DS record below a zone without any',
    [link('nodata', [], 'example.com'), link([`DS ${STALE}`], ['nodata'])],
    null,
  ],
  [
    'a stale DS record at both levels',
    [link([`DS ${DS}`], ['nodata']), link([`DS ${STALE}`], ['nodata'])],
    [DS],
  ],
])('the trust chain reports the DS records that match no key: %s', (_, trust, broken) => {
  const found = brokenLink(surveyOf(SUBDOMAIN, { probes: { trust } }));
  expect(found?.ds.map(({ value }) => value) ?? null).toEqual(broken);
});

test('the trust chain hashes each key once, however many keys and DS records a hostile zone has', () => {
  const keys = Array.from(
    { length: 200 },
    (_, at) => `DNSKEY 256 3 13 ${Buffer.from(`key ${at}`).toString('base64')}`,
  );
  const ds = Array.from({ length: 200 }, (_, at) => `DS ${at} 13 2 ${'AB'.repeat(32)}`);
  const hash = spyOnBuiltIn(crypto, 'createHash');
  expect(brokenLink(surveyOf(SUBDOMAIN, { probes: { trust: [link(ds, [keys, keys])] } }))).not.toBeNull();
  expect(hash).toHaveBeenCalledTimes(200);
});
