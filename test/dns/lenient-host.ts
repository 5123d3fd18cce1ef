import { type DnsServer, dnsServer, type Row } from '../fixtures/dns/dns-server.ts';
import { LENIENT } from '../fixtures/real-internet.ts';
import { LENIENT_SERVER } from './broken-zones.ts';

/** Starts a DNS host that, unlike Knot, serves a CNAME beside other records and at the apex of a zone. The host accepts DNS UPDATE. */
export function startLenientHost(
  port: number,
  zones: Readonly<Record<string, readonly string[]>>,
): Promise<DnsServer> {
  const rows = Object.entries(zones).map(([zone, lines]) => [zone, rowsOf(zone, lines)]);
  return dnsServer({ ip: LENIENT, port, zones: Object.fromEntries(rows) });
}

/** Parses lines of a master file. Returns the zone's records, and an NS record that is added first. */
export function rowsOf(zone: string, lines: readonly string[]): Row[] {
  return [`@ NS ${LENIENT_SERVER}.`, ...lines].map((line) => {
    const [name = '', type = '', ...rest] = line.split(' ');
    return [absolute(name, zone), type, dataOf(type, rest, zone), 300];
  });
}

function dataOf(type: string, [first = '', second = '', ...rest]: string[], zone: string): unknown {
  const text = (parts: string[]) => parts.join(' ').replace(/^"|"$/g, '');
  if (type === 'CNAME' || type === 'NS') return absolute(first, zone);
  if (type === 'MX') return { preference: Number(first), exchange: absolute(second, zone) };
  if (type === 'CAA') return { flags: Number(first), tag: second, value: text(rest) };
  if (type === 'TXT') return text([first, second, ...rest].filter((part) => part !== ''));
  return first;
}

function absolute(name: string, zone: string): string {
  if (name === '@') return zone;
  return name.endsWith('.') ? name.slice(0, -1) : `${name}.${zone}`;
}
