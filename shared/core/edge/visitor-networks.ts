/** Counts the connections of each network that visitors come from. */
export class VisitorNetworks {
  readonly #connections = new Map<string, number>();

  /** @returns how many it has now. */
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

/** An IPv6 visitor has a /64 to itself, so that is what is counted. @param address as a socket tells it. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const last = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(gap).fill('0'), ...last].slice(0, 4).join(':');
}
