import ipaddr from 'ipaddr.js';

/** Configures which IP addresses the service may connect to: global unicast addresses only (`docs/webhooks.md`). */
export interface AddressPolicy {
  /** Allows 127.0.0.0/8 and ::1, for the emulator. */
  allowLoopback: boolean;
  /** Other addresses to refuse, such as those of the service's own edge. They are refused even if loopback is allowed. */
  refused?: readonly string[];
}

/**
 * Returns true if the service may connect to an address.
 * @param ip an address in its usual spelling. `010.0.0.1`, `127.1`, brackets, zone ids and whitespace are refused, because other programs
 * may read them differently.
 * @throws RangeError if an entry of `refused` is not an address, because such an entry would never match.
 */
export function addressAllowed(ip: string, { allowLoopback, refused = [] }: AddressPolicy): boolean {
  const address = parse(ip);
  if (!address) return false;
  if (refused.some((other) => same(address, parseRefused(other)))) return false;
  return (allowLoopback && isIn(address, LOOPBACK)) || isUnicast(address);
}

/**
 * Returns true for an address that the internet routes to a single host. Such an address is in no block of the IANA special-purpose
 * registries.
 */
export function isGlobalUnicast(ip: string): boolean {
  const address = parse(ip);
  return address !== null && isUnicast(address);
}

export function isLoopback(ip: string): boolean {
  const address = parse(ip);
  return address !== null && isIn(address, LOOPBACK);
}

/** The addresses of `localhost` and the names under it, which are never looked up (RFC 6761 section 6.3). */
export const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1'] as const;

export function isLocalhostName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

/**
 * Returns true if a URL's host is this machine: `localhost`, or a loopback address. Returns false for names under `localhost`, which may
 * resolve to other machines.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];
/** Returns blocks that are parsed once, when they are first needed. So a command that only needs to know about loopback starts sooner. */
type Blocks = () => readonly Block[];

/**
 * Special-purpose blocks. They are listed here instead of taken from the library's `range()`, so that an update of the library cannot allow
 * one. The list includes blocks that the registries mark as globally reachable (AS112, AMT, the anycast addresses of PCP and TURN). These
 * are for infrastructure, so no origin can have such an address.
 */
const REFUSED = blocks(
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '168.63.129.16/32', // public, but on Azure the address of every virtual machine's host
  '169.254.0.0/16', // link-local, RFC 3927; cloud metadata
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // IETF protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // 6to4 relay anycast, RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112; broadcast
  '2001::/23', // IETF protocol assignments, RFC 2928: Teredo, benchmarking, AMT, ORCHID
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056: carries an IPv4 address
  '2620:4f:8000::/48', // AS112, RFC 7534
  '3fff::/20', // documentation, RFC 9637
);

/**
 * The part of IPv6 that is allocated as global unicast (RFC 4291). It excludes mapped, compatible and NAT64 forms, unique local addresses,
 * link-local addresses and multicast.
 */
const GLOBAL_IPV6 = blocks('2000::/3');

const LOOPBACK = blocks('127.0.0.0/8', '::1/128');

function parse(ip: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  if (ipaddr.IPv6.isValid(ip) && !ip.includes('%')) return ipaddr.IPv6.parse(ip);
  return null;
}

function parseRefused(ip: string): Address {
  const address = parse(ip);
  if (!address) throw new RangeError(`not an IP address: "${ip}"`);
  return address;
}

function isUnicast(address: Address): boolean {
  return (address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6)) && !isIn(address, REFUSED);
}

function isIn(address: Address, list: Blocks): boolean {
  return list().some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

function same(one: Address, other: Address): boolean {
  return one.kind() === other.kind() && one.toString() === other.toString();
}

function blocks(...cidrs: string[]): Blocks {
  let parsed: readonly Block[] | undefined;
  return () => {
    parsed ??= cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
    return parsed;
  };
}
