import { inNameServerZone } from '../dns/name-server-zone.ts';
import type { Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';

/**
 * The provider that all the name servers of a zone belong to, whatever their case or final dot. Null where they belong to
 * several, or one of them to nobody known: which of two panels holds the records the names do not say, and the steps of the
 * wrong one are worse than none. So too for parking services and for hosts that several providers share: they are in no table.
 */
export function findProvider(name_servers: readonly string[]): Provider | null {
  const [first, ...others] = name_servers.map(providerOf);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

function providerOf(name_server: string): Provider | null {
  return (
    PROVIDERS.find(({ name_servers }) => name_servers.some((zone) => inNameServerZone(name_server, zone))) ??
    null
  );
}
