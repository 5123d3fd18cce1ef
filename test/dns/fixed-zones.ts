import type { CustomerZone } from '../fixtures/real-internet.ts';
import { LENIENT_SERVER, PROOF, TARGET, V4 } from './broken-zones.ts';

/** A zone on a server that accepts DNS UPDATE. `changes` is the smallest number of changes that fix the zone, counted by hand. */
export interface FixedZone extends CustomerZone {
  label: string;
  at?: 'apex';
  changes: number;
  /** Records that have nothing to do with the service and must not change. */
  unrelated?: readonly string[];
}

const TXT = `_service TXT "${PROOF}"`;
const LENIENT = { servers: [LENIENT_SERVER] };
const SIGNED = { signed: true, servers: ['ns1.host.test'] };
const STALE_DS = '12345 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

export const FIXED_ZONES: readonly FixedZone[] = [
  { label: 'nothing', records: [], changes: 1 },
  { label: 'cname-elsewhere', records: ['careers CNAME shops.myshopify.com.'], changes: 1 },
  { label: 'address-elsewhere', records: ['careers A 93.184.215.14'], changes: 1 },
  { label: 'two-addresses', records: ['careers A 93.184.215.14', 'careers A 93.184.215.15'], changes: 2 },
  { label: 'both-families', records: ['careers A 93.184.215.14', 'careers AAAA 2a00:1450::5'], changes: 2 },
  { label: 'private', records: ['careers A 10.0.0.1'], changes: 1 },
  { label: 'under-a-wildcard', records: ['* A 93.184.215.14'], changes: 1, unrelated: ['other A'] },
  {
    label: 'with-a-wildcard-below',
    records: ['careers A 93.184.215.14', '*.careers A 93.184.215.14'],
    changes: 1,
    unrelated: ['x.careers A'],
  },
  {
    label: 'with-mail',
    records: ['careers A 93.184.215.14', 'careers MX 10 mail', 'mail A 93.184.215.20'],
    changes: 2,
    unrelated: ['careers MX', 'mail A'],
  },
  { label: 'only-mail', records: ['careers MX 10 mail.host.test.'], changes: 2, unrelated: ['careers MX'] },
  { label: 'domain-in-the-value', records: [`careers CNAME ${TARGET}`], changes: 1 },
  {
    label: 'domain-in-the-name',
    records: [`careers.domain-in-the-name.test CNAME ${TARGET}.`],
    changes: 1,
  },
  { label: 'flat-and-more', records: [`careers A ${V4}`, 'careers A 93.184.215.14'], changes: 2 },
  {
    label: 'authority-and-record',
    records: ['careers CNAME shops.myshopify.com.', '@ CAA 0 issue "other-ca.example"'],
    changes: 2,
  },
  { label: 'apex-nothing', at: 'apex', records: [], changes: 2 },
  {
    label: 'apex-elsewhere',
    at: 'apex',
    records: ['@ A 93.184.215.14', '@ AAAA 2a00:1450::5', TXT],
    changes: 2,
  },
  {
    label: 'apex-with-mail',
    at: 'apex',
    records: ['@ A 93.184.215.14', '@ MX 10 mail.host.test.', '@ TXT "v=spf1 -all"', '* A 93.184.215.14'],
    changes: 2,
    unrelated: ['@ MX', '@ TXT', 'x A'],
  },
  { label: 'apex-ipv6', at: 'apex', records: [`@ A ${V4}`, '@ AAAA 2a00:1450::5', TXT], changes: 1 },
  { label: 'apex-extra', at: 'apex', records: [`@ A ${V4}`, '@ A 93.184.215.14', TXT], changes: 1 },
  {
    label: 'stale-ds',
    ...SIGNED,
    ds: STALE_DS,
    records: [`careers CNAME ${TARGET}.`, '@ MX 10 mail.host.test.'],
    changes: 1,
    unrelated: ['@ MX'],
  },
  { label: 'stale-ds-and-nothing', ...SIGNED, ds: STALE_DS, records: [], changes: 2 },
  { label: 'ds-of-unsigned', at: 'apex', ds: STALE_DS, records: [`@ A ${V4}`], changes: 2 },
  {
    label: 'stale-ds-of-subzone',
    ...SIGNED,
    records: [
      'careers NS ns1.host.test.',
      'careers NS ns2.host.test.',
      `careers DS ${STALE_DS}`,
      'other A 93.184.215.20',
    ],
    changes: 3,
    unrelated: ['other A', 'careers NS'],
  },
  {
    label: 'apex-proof',
    at: 'apex',
    records: [`@ A ${V4}`, '_service TXT "say \\"yes\\"; or not"'],
    changes: 1,
  },
  {
    label: 'doubled-proof',
    at: 'apex',
    records: [`@ A ${V4}`, `_service.doubled-proof.test TXT "${PROOF}"`],
    changes: 2,
  },
  {
    label: 'proof-at-the-apex',
    at: 'apex',
    records: [`@ A ${V4}`, `@ TXT "${PROOF}"`, '@ MX 10 mail.host.test.'],
    changes: 2,
    unrelated: ['@ MX'],
  },
  {
    label: 'quoted-proof-among-others',
    at: 'apex',
    records: [`@ A ${V4}`, `_service TXT "\\"${PROOF}\\""`, '_service TXT "of-another-service"'],
    changes: 1,
  },
  {
    label: 'apex-long-proof',
    at: 'apex',
    records: [`@ A ${V4}`, `_service TXT "${'x'.repeat(255)}" "y"`],
    changes: 1,
  },
  {
    label: 'challenge-elsewhere',
    records: [`careers CNAME ${TARGET}.`, '_acme-challenge.careers CNAME x.acme-dns.com.'],
    changes: 1,
  },
  { label: 'cloudflare-address', records: ['careers A 104.16.1.1', 'careers AAAA 2606:4700::1'], changes: 2 },
  {
    label: 'cname-and-more',
    ...LENIENT,
    records: [
      `careers CNAME ${TARGET}.`,
      'careers A 93.184.215.14',
      'careers TXT "old"',
      'other A 93.184.215.20',
    ],
    changes: 2,
    unrelated: ['other A'],
  },
  {
    label: 'two-cnames-here',
    ...LENIENT,
    records: [`careers CNAME ${TARGET}.`, 'careers CNAME shops.myshopify.com.'],
    changes: 1,
  },
  {
    label: 'aaaa-beside-cname',
    ...LENIENT,
    records: [`careers CNAME ${TARGET}.`, 'careers AAAA 2a00:1450::5'],
    changes: 1,
  },
  {
    label: 'https-elsewhere',
    at: 'apex',
    records: [`@ A ${V4}`, TXT, '@ HTTPS 1 . alpn=h2,h3 ipv4hint=93.184.215.14 ech=AEX+DQ==', '@ MX 10 mail'],
    changes: 1,
    unrelated: ['@ MX'],
  },
  {
    label: 'two-https',
    at: 'apex',
    records: [`@ A ${V4}`, TXT, '@ HTTPS 0 shops.myshopify.com.', '@ HTTPS 1 . port=8443'],
    changes: 2,
  },
  {
    label: 'cname-elsewhere-and-https',
    records: ['careers A 93.184.215.14', 'careers HTTPS 1 . ipv4hint=93.184.215.14'],
    changes: 2,
  },
  { label: 'cname-at-apex', at: 'apex', ...LENIENT, records: [`@ CNAME ${TARGET}.`], changes: 2 },
  { label: 'wrong-proof', at: 'apex', records: [`@ A ${V4}`, '_service TXT "of-another-app"'], changes: 1 },
];
