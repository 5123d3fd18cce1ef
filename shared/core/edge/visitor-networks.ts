/** Counts the open connections of each network that visitors come from. */
export class VisitorNetworks {
  readonly #connections = new Map<string, number>();

  /** Adds a connection. @returns the number of connections that its network now has. */
  add(address: string): number {
    const network = networkOf(address);
    const count = (this.#connections.get(network) ?? 0) + 1;
    this.#connections.set(network, count);
    return count;
  }

  remove(address: string): void {
    const network = networkOf(address);
    const left = (this.#connections.get(network) ?? 1) - 1;
    if (left === 0) this.#connections.delete(network);
    else this.#connections.set(network, left);
  }
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
