import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '../core/net/address.ts';

/** Returns true if a URL's host is this machine: a loopback host, or an address of one of its network interfaces. */
export function isThisMachine(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true;
  const ip = hostname.replace(/^\[|\]$/g, '');
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}
