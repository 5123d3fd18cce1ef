import { BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressSet = ReturnType<typeof createAddressSet>;

/**
 * Makes a set of IP addresses.
 * @param entries single addresses, and networks such as `192.0.2.0/24`.
 * @throws RangeError if an entry is neither an address nor a network.
 */
export function createAddressSet(entries: readonly string[]) {
  const list = new BlockList();
  for (const entry of entries) {
    const { network, bits } = readNetwork(entry) ?? fail(entry);
    list.addSubnet(network, bits, familyOf(network));
  }
  const isEmpty = entries.length === 0;
  return {
    entries,
    isEmpty,

    /** Returns whether the set contains an address. An IPv4 address may be in its form mapped to IPv6, as sockets report it. */
    has(address: string): boolean {
      if (isEmpty) return false;
      const plain = unmapped(address);
      return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
    },
  };
}

export const NO_ADDRESSES = createAddressSet([]);

/** Returns whether a text is an address or a network. */
export function isNetwork(text: string): boolean {
  return readNetwork(text) !== null;
}

/** Returns an IPv4 address without its mapping to IPv6. Returns any other address unchanged. */
export function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Reads an address that another program wrote, and returns its standard spelling. Returns null for any other text. */
export function readAddress(text: string): string | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.process(text).toString();
}

function readNetwork(text: string): { network: string; bits: number } | null {
  const [network = '', bits, ...more] = text.split('/');
  const family = isIP(network);
  const bitsMax = family === 6 ? 128 : 32;
  if (family === 0 || more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  const count = bits === undefined ? bitsMax : Number(bits);
  return count > bitsMax ? null : { network, bits: count };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function fail(entry: string): never {
  throw new RangeError(`${entry} is neither an address nor a network`);
}
