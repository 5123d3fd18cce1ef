/**
 * Returns true if a name server's name is in a zone. It compares whole labels: `ns1.example.com` is in `example.com`, but
 * `ns1.notexample.com` and `example.com.evil.example` are not. `N` in the zone stands for digits: `awsdns-N.org`.
 */
export function inNameServerZone(nameServer: string, zone: string): boolean {
  return zonePattern(zone).test(nameServer.toLowerCase().replace(/\.$/, ''));
}

/** Compiled once per zone. All zones come from our own tables, so the map stays small. */
const patterns = new Map<string, RegExp>();

function zonePattern(zone: string): RegExp {
  let pattern = patterns.get(zone);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|\\.)${zone.replaceAll('.', '\\.').replaceAll('N', '[0-9]+')}$`);
    patterns.set(zone, pattern);
  }
  return pattern;
}
