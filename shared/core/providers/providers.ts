import { PROVIDERS_A_TO_D } from './data/a-to-d.ts';
import { PROVIDERS_E_TO_N } from './data/e-to-n.ts';
import { PROVIDERS_O_TO_Z } from './data/o-to-z.ts';
import type { Provider } from './provider.ts';

/** All known providers, sorted by id. */
export const PROVIDERS: readonly Provider[] = [...PROVIDERS_A_TO_D, ...PROVIDERS_E_TO_N, ...PROVIDERS_O_TO_Z];

/**
 * Returns the provider that all the name servers of a zone belong to. Returns null if they belong to several providers, or if any name
 * server is not known. We could not tell in which panel the records are, and steps for the wrong panel are worse than none. For this
 * reason, no table has parking services, or name servers that several providers share.
 */
export function findProvider(nameServers: readonly string[]): Provider | null {
  const [first, ...others] = nameServers.map(providerOf);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

/** Returns the provider that a label of a test hostname names, as in `shop.at-godaddy.example.com`; null if no label does. */
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

/**
 * Returns true if a name server's name is in a zone. It compares whole labels: `ns1.example.com` is in `example.com`, but
 * `ns1.notexample.com` and `example.com.evil.example` are not. `N` in the zone stands for digits: `awsdns-N.org`.
 */
export function inNameServerZone(nameServer: string, zone: string): boolean {
  return zonePattern(zone).test(nameServer.toLowerCase().replace(/\.$/, ''));
}

/** The compiled patterns, one for each zone. All zones come from our own tables, so the map stays small. */
const patterns = new Map<string, RegExp>();

function zonePattern(zone: string): RegExp {
  let pattern = patterns.get(zone);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|\\.)${zone.replaceAll('.', '\\.').replaceAll('N', '[0-9]+')}$`);
    patterns.set(zone, pattern);
  }
  return pattern;
}
