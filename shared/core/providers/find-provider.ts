import { inNameServerZone } from '../dns/name-server-zone.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';

/**
 * Returns the provider that all the name servers of a zone belong to. Returns null if they belong to several providers, or if any of them
 * is not known. The names do not say which of two panels holds the records, and the steps for the wrong panel are worse than none. Parking
 * services, and name servers that several providers share, are in no table for this reason.
 */
export function findProvider(nameServers: readonly string[]): Provider | null {
  const [first, ...others] = nameServers.map(providerOf);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

/** Returns the provider that a test hostname names by a label, such as `shop.at-godaddy.example.com`; null if it names none. */
export function namedProvider(hostname: string): Provider | null {
  const labels = hostname.split('.');
  return PROVIDERS.find(({ id }) => labels.includes(`at-${id}`)) ?? null;
}

function providerOf(nameServer: string): Provider | null {
  return (
    PROVIDERS.find(({ name_servers }) => name_servers.some((zone) => inNameServerZone(nameServer, zone))) ??
    null
  );
}
