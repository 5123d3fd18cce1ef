/**
 * Whether a name server's name lies in a zone, matched on label boundaries: `ns1.example.com` is in `example.com`,
 * `ns1.notexample.com` and `example.com.evil.example` are not. `N` in the zone stands for digits: `awsdns-N.org`.
 */
export function inNameServerZone(name_server: string, zone: string): boolean {
  return zonePattern(zone).test(name_server.toLowerCase().replace(/\.$/, ''));
}

/** Compiled once a zone: the zones are those of our own tables. */
const patterns = new Map<string, RegExp>();

function zonePattern(zone: string): RegExp {
  let pattern = patterns.get(zone);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:^|\\.)${zone.replaceAll('.', '\\.').replaceAll('N', '[0-9]+')}$`);
    patterns.set(zone, pattern);
  }
  return pattern;
}
