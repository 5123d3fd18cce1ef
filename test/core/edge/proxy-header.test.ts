import { expect, it } from 'vitest';
import { readProxyHeader } from '../../../shared/core/edge/proxy-header.ts';

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** Builds a PROXY protocol header of version 2. @param head the byte of version and command, then the byte of the address family. */
function version2(head: [number, number], body: Buffer, length = body.length): Buffer {
  return Buffer.concat([SIGNATURE, Buffer.from([...head, length >> 8, length & 255]), body]);
}

const IPV4_PAIR = Buffer.from([203, 0, 113, 9, 192, 0, 2, 1, 0x9c, 0x40, 0x01, 0xbb]);
const PORTS = Buffer.from([0x9c, 0x40, 0x01, 0xbb]);
const ipv6 = (hex: string) => Buffer.from(hex.padEnd(32, '0'), 'hex');
const IPV6_PAIR = Buffer.concat([ipv6('20010db8'), ipv6('20010db8ffff'), PORTS]);
const MAPPED_PAIR = Buffer.concat([
  Buffer.from('00000000000000000000ffffcb007109', 'hex'),
  ipv6('20010db8'),
  PORTS,
]);

it.each<[title: string, bytes: Buffer | string, address: string | null]>([
  ['version 1 over IPv4', 'PROXY TCP4 203.0.113.9 192.0.2.1 40000 443\r\n', '203.0.113.9'],
  ['version 1 over IPv6', 'PROXY TCP6 2001:DB8::1 2001:db8::2 40000 443\r\n', '2001:db8::1'],
  ['version 1 with a mapped address', 'PROXY TCP6 ::ffff:203.0.113.9 ::1 40000 443\r\n', '203.0.113.9'],
  ['version 1 of an unknown client', 'PROXY UNKNOWN\r\n', null],
  ['version 1 of an unknown client, with addresses', 'PROXY UNKNOWN 1 2 3 4\r\n', null],
  ['version 2 over IPv4', version2([0x21, 0x11], IPV4_PAIR), '203.0.113.9'],
  ['version 2 over IPv6', version2([0x21, 0x21], IPV6_PAIR), '2001:db8::'],
  ['version 2 with a mapped address', version2([0x21, 0x21], MAPPED_PAIR), '203.0.113.9'],
  [
    'version 2 with further fields',
    version2([0x21, 0x11], Buffer.concat([IPV4_PAIR, Buffer.alloc(40)])),
    '203.0.113.9',
  ],
  ['a health check', version2([0x20, 0x00], Buffer.alloc(0)), null],
  ['a health check with addresses', version2([0x20, 0x11], IPV4_PAIR), null],
  ['version 2 of an unspecified family', version2([0x21, 0x00], Buffer.alloc(0)), null],
])('the parser of the PROXY protocol reads %s, in pieces of any size', (_, header, address) => {
  const bytes = Buffer.from(header);
  const rest = Buffer.from('GET / HTTP/1.1\r\n');
  for (let length = 0; length < bytes.length; length++) {
    expect(readProxyHeader(bytes.subarray(0, length)).state).toBe('partial');
  }
  const read = { state: 'read', address, bytes: bytes.length };
  expect(readProxyHeader(bytes)).toEqual(read);
  expect(readProxyHeader(Buffer.concat([bytes, rest]))).toEqual(read);
});

it.each<[title: string, bytes: Buffer | string]>([
  ['a request', 'GET / HTTP/1.1\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00'],
  ['lowercase', 'proxy TCP4 203.0.113.9 192.0.2.1 40000 443\r\n'],
  ['UDP', 'PROXY UDP4 203.0.113.9 192.0.2.1 40000 443\r\n'],
  ['an address of the other family', 'PROXY TCP4 2001:db8::1 2001:db8::2 40000 443\r\n'],
  ['a name instead of an address', 'PROXY TCP4 evil.example 192.0.2.1 40000 443\r\n'],
  ['an address in octal', 'PROXY TCP4 0203.0.113.9 192.0.2.1 40000 443\r\n'],
  ['two spaces', 'PROXY TCP4  203.0.113.9 192.0.2.1 40000 443\r\n'],
  ['a missing port', 'PROXY TCP4 203.0.113.9 192.0.2.1 40000\r\n'],
  ['text after the ports', 'PROXY TCP4 203.0.113.9 192.0.2.1 40000 443 6.6.6.6\r\n'],
  ['a zone id', 'PROXY TCP6 fe80::1%eth0 ::1 40000 443\r\n'],
  ['a word that starts like UNKNOWN', 'PROXY UNKNOWNS\r\n'],
  ['a line over the limit', `PROXY TCP4 ${'1'.repeat(110)}`],
  ['version 3', version2([0x31, 0x11], IPV4_PAIR)],
  ['an unknown command', version2([0x22, 0x11], IPV4_PAIR)],
  ['a Unix socket', version2([0x21, 0x31], Buffer.alloc(216))],
  ['UDP in version 2', version2([0x21, 0x12], IPV4_PAIR)],
  ['too short a pair of addresses', version2([0x21, 0x11], IPV4_PAIR.subarray(0, 8))],
  ['an endless header', version2([0x21, 0x11], IPV4_PAIR, 65_535)],
])('the parser of the PROXY protocol refuses %s', (_, header) => {
  expect(readProxyHeader(Buffer.from(header)).state).toBe('invalid');
});
