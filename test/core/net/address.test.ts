import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressAllowed,
  isGlobalUnicast,
  isLoopback,
  isLoopbackHost,
} from '../../../shared/core/net/address.ts';

/** The first and last address of every block in the IANA special-purpose registries for IPv4 and IPv6, and of the multicast blocks. */
const SPECIAL: readonly [block: string, first: string, last: string][] = [
  ['0.0.0.0/8 this network', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8 private use', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10 shared address space', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8 loopback', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16 link local', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12 private use', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24 IETF protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['192.0.0.0/29 IPv4 service continuity prefix', '192.0.0.0', '192.0.0.7'],
  ['192.0.0.8/32 IPv4 dummy address', '192.0.0.8', '192.0.0.8'],
  ['192.0.0.9/32 PCP anycast', '192.0.0.9', '192.0.0.9'],
  ['192.0.0.10/32 TURN anycast', '192.0.0.10', '192.0.0.10'],
  ['192.0.0.170/31 NAT64 and DNS64 discovery', '192.0.0.170', '192.0.0.171'],
  ['192.0.2.0/24 documentation (TEST-NET-1)', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24 AS112-v4', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24 AMT', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24 6to4 relay anycast', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16 private use', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24 direct delegation AS112', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15 benchmarking', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24 documentation (TEST-NET-2)', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24 documentation (TEST-NET-3)', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4 multicast', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4 reserved', '240.0.0.0', '255.255.255.254'],
  ['255.255.255.255/32 limited broadcast', '255.255.255.255', '255.255.255.255'],
  ['::1/128 loopback', '::1', '::1'],
  ['::/128 unspecified', '::', '::'],
  ['::/96 IPv4-compatible (deprecated)', '::0.0.0.2', '::255.255.255.255'],
  ['::ffff:0:0/96 IPv4-mapped', '::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['::ffff:0:0:0/96 IPv4-translated', '::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['64:ff9b::/96 NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48 local-use NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64 discard-only', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64 dummy IPv6 prefix', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23 IETF protocol assignments', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::/32 Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:1::1/128 PCP anycast', '2001:1::1', '2001:1::1'],
  ['2001:1::2/128 TURN anycast', '2001:1::2', '2001:1::2'],
  ['2001:1::3/128 DNS-SD service registration anycast', '2001:1::3', '2001:1::3'],
  ['2001:2::/48 benchmarking', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:3::/32 AMT', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:4:112::/48 AS112-v6', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::/28 ORCHID (deprecated)', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::/28 ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:30::/28 drone remote ID', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32 documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16 6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48 direct delegation AS112', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20 documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16 segment routing SIDs', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7 unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10 link local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10 site local (deprecated)', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8 multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

/**
 * Public addresses next to the special blocks. If the prefix of a block were one bit too short, one of these addresses would be refused.
 */
const GLOBAL = [
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.31.195.255',
  '192.31.197.0',
  '192.52.192.255',
  '192.52.194.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '192.175.47.255',
  '192.175.49.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '8.8.8.8',
  '2000::',
  '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:200::',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2003::',
  '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
  '2620:4f:8001::',
  '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '3fff:1000::',
  '2606:4700:4700::1111',
  '2606:4700::1.2.3.4',
];

describe('isGlobalUnicast accepts only public addresses', () => {
  it.each(SPECIAL)('refuses the first and the last address of %s', (_block, first, last) => {
    expect(isGlobalUnicast(first)).toBe(false);
    expect(isGlobalUnicast(last)).toBe(false);
  });

  it.each(GLOBAL)('accepts %s', (ip) => {
    expect(isGlobalUnicast(ip)).toBe(true);
  });

  it.each([
    ['Amazon, Google, Azure, DigitalOcean', '169.254.169.254'],
    ['Amazon over IPv6', 'fd00:ec2::254'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
    ["Azure's wire server", '168.63.129.16'],
  ])('refuses the metadata address of %s', (_cloud, ip) => {
    expect(isGlobalUnicast(ip)).toBe(false);
  });

  it.each([
    '',
    ' ',
    '8.8.8',
    '134744072',
    '0x8.8.8.8',
    '0x08080808',
    '010.8.8.8',
    '08.8.8.8',
    '8.8.8.8.',
    '8.8.8.8 ',
    '8.8.8.8\n',
    '8.8.8.256',
    '8.8.8.8/32',
    '8.8.8.8:80',
    '2606:4700::1111%eth0',
    '2606:4700::1111%25eth0',
    '2606:4700::1111%',
    '[2606:4700::1111]',
    '2606:4700::1111/64',
    '2606:4700:::1111',
    '2606::4700::1111',
    'example.com',
    '８.8.8.8',
    '8。8.8.8',
  ])('refuses %j, which is not an address in its usual spelling', (ip) => {
    expect(isGlobalUnicast(ip)).toBe(false);
  });

  it('refuses every IPv6 form that contains an IPv4 address, whatever that address is', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const hex = ip
          .split('.')
          .map((octet) => Number(octet).toString(16).padStart(2, '0'))
          .join('');
        const [high, low] = [hex.slice(0, 4), hex.slice(4)];
        for (const form of [
          `::ffff:${ip}`,
          `::${ip}`,
          `64:ff9b::${ip}`,
          `::ffff:0:${ip}`,
          `2002:${high}:${low}::1`,
          `2001::${high}:${low}`,
        ]) {
          expect(isGlobalUnicast(form)).toBe(false);
        }
      }),
    );
  });

  it('accepts no IPv6 address outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        if (isGlobalUnicast(ip)) expect(ip).toMatch(/^[23][0-9a-f]{3}:/i);
      }),
    );
  });
});

describe('addressAllowed decides which addresses a request may reach', () => {
  it.each(['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'])(
    'allows %s only if loopback is allowed',
    (ip) => {
      expect(isLoopback(ip)).toBe(true);
      expect(addressAllowed(ip, { allowLoopback: true })).toBe(true);
      expect(addressAllowed(ip, { allowLoopback: false })).toBe(false);
    },
  );

  it.each([
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fe80::1',
    '127.1',
    'localhost',
  ])('refuses %s even if loopback is allowed', (ip) => {
    expect(isLoopback(ip)).toBe(false);
    expect(addressAllowed(ip, { allowLoopback: true })).toBe(false);
  });

  it('refuses the given addresses, in any spelling, and no others', () => {
    const policy = { allowLoopback: true, refused: ['8.8.4.4', '2606:4700::1111', '127.0.0.9'] };
    expect(addressAllowed('8.8.4.4', policy)).toBe(false);
    expect(addressAllowed('2606:4700:0:0::0:1111', policy)).toBe(false);
    expect(addressAllowed('2606:4700::17.17', policy)).toBe(false);
    expect(addressAllowed('127.0.0.9', policy)).toBe(false);
    expect(addressAllowed('8.8.8.8', policy)).toBe(true);
    expect(addressAllowed('2606:4700::1112', policy)).toBe(true);
    expect(addressAllowed('127.0.0.1', policy)).toBe(true);
  });

  it('throws if the list has an entry that could never match', () => {
    expect(() => addressAllowed('8.8.8.8', { allowLoopback: false, refused: ['edge.example.net'] })).toThrow(
      RangeError,
    );
  });
});

describe('isLoopbackHost detects the hosts of this machine', () => {
  it.each([
    'http://localhost',
    'http://LOCALHOST:80',
    'http://127.0.0.1',
    'http://127.0.0.2',
    'http://2130706433',
    'http://[::1]',
  ])('recognizes the host of %s as this machine', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(true);
  });

  it.each([
    'http://localhost.example.com',
    'http://a.localhost',
    'http://127.0.0.1.example.com',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0',
    'http://192.168.0.1',
  ])('recognizes the host of %s as another machine', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(false);
  });
});
