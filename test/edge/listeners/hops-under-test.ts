import type { TrustedHops } from '../../../shared/adapters/client-addresses.ts';
import { createAddressSet } from '../../../shared/core/net/address-set.ts';

/** The addresses from which the tests' visitors connect. */
const HERE = createAddressSet(['127.0.0.1']);
const NONE = createAddressSet([]);

/** The visitor's address, as the hop reports it. */
export const NAMED = '203.0.113.9';

/** A proxy or load balancer between a visitor and the edge, with the bytes that it adds. */
export interface HopUnderTest {
  hops?: TrustedHops;
  /** The bytes that the hop sends first on each connection. */
  proxyHeader: string;
  /** The address that the hop adds to each request as X-Forwarded-For; null if it adds no header. */
  forwardedFor: string | null;
  /** The visitor's address that the origin must receive. */
  visitor: string;
}

export const DIRECT: HopUnderTest = { proxyHeader: '', forwardedFor: null, visitor: '127.0.0.1' };

export const BEHIND_PROXY: HopUnderTest = {
  hops: { proxies: HERE, balancers: NONE },
  proxyHeader: '',
  forwardedFor: NAMED,
  visitor: NAMED,
};

export const BEHIND_BALANCER: HopUnderTest = {
  hops: { proxies: NONE, balancers: HERE },
  proxyHeader: `PROXY TCP4 ${NAMED} 192.0.2.1 40000 443\r\n`,
  forwardedFor: null,
  visitor: NAMED,
};

export const HOPS: [title: string, hop: HopUnderTest][] = [
  ['without a hop', DIRECT],
  ['behind a trusted proxy', BEHIND_PROXY],
  ['behind a load balancer', BEHIND_BALANCER],
];

/** Adds the hop's header after the last header of an HTTP/1.1 request. Empty lines may precede the request. */
export function viaHop(bytes: string, { forwardedFor }: HopUnderTest): string {
  if (forwardedFor === null) return bytes;
  const end = bytes.indexOf('\r\n\r\n', bytes.indexOf('HTTP/1.'));
  return `${bytes.slice(0, end)}\r\nX-Forwarded-For: ${forwardedFor}${bytes.slice(end)}`;
}
