import { type AddressSet, readAddress, unmapped } from '../net/address-set.ts';

/** Counts the open connections of each network from which visitors connect. */
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
 * Returns the network of an address. For IPv6, the network is the /64, because a visitor usually has a whole /64.
 * @param address an address as a socket reports it.
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
 * Returns the address of a visitor. Each trusted proxy appends the address of its own client to `X-Forwarded-For`, so the visitor is the
 * last address in this header that is not a trusted proxy. A visitor can forge everything before that address, but nothing after it.
 * @param peer the address that connected to us.
 * @param forwardedFor the values of all `X-Forwarded-For` headers, in order.
 */
export function visitorAddress(peer: string, forwardedFor: readonly string[], trusted: AddressSet): string {
  let nearest = unmapped(peer);
  for (const member of forwardedFor.join(',').split(',').toReversed()) {
    if (!trusted.has(nearest)) break;
    const address = addressIn(member.trim());
    // If a proxy has added no readable address, the addresses before this entry cannot be trusted.
    if (address === null) break;
    nearest = address;
  }
  return nearest;
}

/** Reads an address from the header. Some proxies add a port, and put brackets around an IPv6 address. */
function addressIn(member: string): string | null {
  const { bracketed, ipv4 } = WITH_PORT.exec(member)?.groups ?? {};
  return readAddress(bracketed ?? ipv4 ?? member);
}

const WITH_PORT = /^(?:\[(?<bracketed>[0-9a-fA-F:.]+)\]|(?<ipv4>\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;
