import { expect, it } from 'vitest';
import { CLOUDFLARE_RANGES } from '../../../shared/core/edge/cloudflare-addresses.ts';
import { visitorAddress } from '../../../shared/core/edge/visitor-networks.ts';
import { createAddressSet } from '../../../shared/core/net/address-set.ts';

const TRUSTED = createAddressSet(['192.0.2.10', '10.0.0.0/8', '2001:db8:1::/48', ...CLOUDFLARE_RANGES]);

it.each<[title: string, peer: string, forwardedFor: string[], address: string]>([
  ['ignores the header of a visitor', '203.0.113.9', ['6.6.6.6'], '203.0.113.9'],
  ['takes the address that a proxy added', '192.0.2.10', ['203.0.113.9'], '203.0.113.9'],
  [
    'takes the last address, not those that the visitor forged',
    '192.0.2.10',
    ['6.6.6.6, 203.0.113.9'],
    '203.0.113.9',
  ],
  ['reads several headers in order', '192.0.2.10', ['6.6.6.6', '203.0.113.9'], '203.0.113.9'],
  [
    'passes over trusted proxies behind each other',
    '10.1.2.3',
    ['6.6.6.6, 203.0.113.9, 173.245.48.9'],
    '203.0.113.9',
  ],
  [
    'takes a forged trusted address for no proxy',
    '192.0.2.10',
    ['6.6.6.6, 10.0.0.1, 203.0.113.9'],
    '203.0.113.9',
  ],
  ['takes the first proxy of a chain of trusted ones', '192.0.2.10', ['10.0.0.2, 10.0.0.1'], '10.0.0.2'],
  ['keeps the proxy if it adds nothing', '192.0.2.10', [], '192.0.2.10'],
  ['keeps the proxy if the header is empty', '192.0.2.10', [''], '192.0.2.10'],
  ['keeps the proxy if it adds no address', '192.0.2.10', ['6.6.6.6, unknown'], '192.0.2.10'],
  ['keeps the proxy behind a comma too many', '192.0.2.10', ['6.6.6.6,'], '192.0.2.10'],
  ['reads an address with a port', '192.0.2.10', ['203.0.113.9:4000'], '203.0.113.9'],
  ['reads IPv6 in brackets with a port', '192.0.2.10', ['[2001:DB8:2::1]:4000'], '2001:db8:2::1'],
  ['reads IPv6 without brackets', '2001:db8:1::5', ['2001:db8:2::1'], '2001:db8:2::1'],
  ['reads a mapped address', '::ffff:192.0.2.10', ['::ffff:203.0.113.9'], '203.0.113.9'],
  ['refuses an address in octal', '192.0.2.10', ['0203.0.113.9'], '192.0.2.10'],
  ['refuses a zone id', '192.0.2.10', ['fe80::1%eth0'], '192.0.2.10'],
  ['refuses quotes', '192.0.2.10', ['"203.0.113.9"'], '192.0.2.10'],
])("when it derives the visitor's address, the edge %s", (_, peer, forwardedFor, address) => {
  expect(visitorAddress(peer, forwardedFor, TRUSTED)).toBe(address);
});

it('the edge trusts no proxy by default', () => {
  expect(visitorAddress('127.0.0.1', ['6.6.6.6'], createAddressSet([]))).toBe('127.0.0.1');
});

it.each(['', 'x', '1.2.3', '192.0.2.0/33', '192.0.2.0/', '2001:db8::/129', '192.0.2.0/24/8'])(
  'the setting for trusted proxies refuses %j as a network',
  (entry) => {
    expect(() => createAddressSet([entry])).toThrow(RangeError);
  },
);
