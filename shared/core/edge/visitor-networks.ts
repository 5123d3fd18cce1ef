import { type AddressSet, readAddress, unmapped } from '../net/address-set.ts';

/** Counts the open connections of each network that visitors come from. */
export function createVisitorNetworks() {
  const connections = new Map<string, number>();
  const change = (address: string, by: 1 | -1): number => {
    const network = networkOf(address);
    const count = (connections.get(network) ?? 0) + by;
    if (count > 0) connections.set(network, count);
    else connections.delete(network);
    return count;
  };
  return {
    /** Adds a connection. @returns the number of connections that its network now has. */
    add: (address: string): number => change(address, 1),
    remove: (address: string): void => void change(address, -1),
  };
}

/**
 * Returns the network of an address. For IPv6 it is the /64, because a visitor usually has all of it.
 * @param address as a socket reports it.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const last = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(gap).fill('0'), ...last].slice(0, 4).join(':');
}

/**
 * Returns the address of a visitor. If the peer is a trusted proxy, it has appended the address that connected to it to `X-Forwarded-For`.
 * The visitor is the last address in that header that is not a trusted proxy. A visitor can forge everything before that address, and
 * nothing after it.
 * @param peer the address that connected to us.
 * @param forwardedFor the values of all `X-Forwarded-For` headers, in order.
 */
export function visitorAddress(peer: string, forwardedFor: readonly string[], trusted: AddressSet): string {
  let nearest = unmapped(peer);
  for (const member of forwardedFor.join(',').split(',').toReversed()) {
    if (!trusted.has(nearest)) break;
    const address = addressIn(member.trim());
    // If a proxy adds no readable address, nothing is known about the addresses before it.
    if (address === null) break;
    nearest = address;
  }
  return nearest;
}

/** Reads an address. Some proxies add a port, and brackets around an IPv6 address. */
function addressIn(member: string): string | null {
  const { bracketed, ipv4 } = WITH_PORT.exec(member)?.groups ?? {};
  return readAddress(bracketed ?? ipv4 ?? member);
}

const WITH_PORT = /^(?:\[(?<bracketed>[0-9a-fA-F:.]+)\]|(?<ipv4>\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;
