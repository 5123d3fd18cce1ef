import type { Answer } from 'dns-packet';
import packet from 'dns-packet';
import {
  createDnsResponder,
  createServerCookies,
  type DnsResponder,
} from '../../../shared/dns/server/dns-responder.ts';
import { createServedZone, type ServedZones, type ZoneContent } from '../../../shared/dns/server/zone.ts';

export const SECRET = Buffer.alloc(16, 7);
export const NOW_MS = 1_800_000_000_000;
export const CLIENT = '198.51.100.7';

/** The edge zone, with one of its name servers inside, and with a zone below it. */
export const EDGE: ZoneContent = {
  name: 'edge.example.net',
  soa: {
    type: 'SOA',
    primary: 'ns1.example.net',
    mailbox: 'hostmaster.example.net',
    serial: 7,
    negativeTtlS: 60,
  },
  servers: [
    { name: 'ns1.example.net', addresses: [] },
    { name: 'ns2.dns.edge.example.net', addresses: ['192.0.2.53', '2001:db8::53'] },
  ],
  records: [
    { name: 'edge.example.net', content: { type: 'CAA', flags: 0, tag: 'issue', value: 'letsencrypt.org' } },
    { name: '*.edge.example.net', content: { type: 'A', address: '192.0.2.10' } },
    { name: '*.edge.example.net', content: { type: 'A', address: '192.0.2.11' } },
    { name: '*.edge.example.net', content: { type: 'AAAA', address: '2001:db8::10' } },
  ],
  infrastructureTtlS: 3600,
  ttlS: 300,
};
const BELOW: ZoneContent = {
  ...EDGE,
  name: 'sandbox.edge.example.net',
  servers: [{ name: 'ns1.example.net', addresses: [] }],
  records: [{ name: '*.sandbox.edge.example.net', content: { type: 'A', address: '192.0.2.20' } }],
};

export function servedZones(contents: readonly ZoneContent[] = [EDGE, BELOW]): ServedZones {
  return new Map(
    contents.map((content) => {
      const zone = createServedZone(content);
      return [zone.key, zone];
    }),
  );
}

export function responderOf(zones = servedZones()): DnsResponder {
  return createDnsResponder({
    zones,
    cookies: createServerCookies(SECRET),
    wallClock: { now: () => NOW_MS },
  });
}

/** A DNS response as text: the code, the flags, and the records of each section. */
export interface ShownResponse {
  status: string;
  answers: string[];
  authorities: string[];
  additionals: string[];
}

/** Decodes a response with another implementation than the server's. */
export function shown(response: Buffer | null): ShownResponse {
  if (response === null) throw new Error('there is no response');
  const { rcode, flag_aa, flag_tc, answers, authorities, additionals } = packet.decode(
    response,
  ) as ReturnType<typeof packet.decode> & { rcode: string };
  const rows = (records: readonly Answer[] = []) => records.flatMap(rowOf);
  return {
    status: [rcode, ...(flag_aa ? ['aa'] : []), ...(flag_tc ? ['tc'] : [])].join(' '),
    answers: rows(answers),
    authorities: rows(authorities),
    additionals: rows(additionals),
  };
}

function rowOf(record: Answer): string[] {
  if (record.type === 'OPT') return [];
  const { name, type, ttl, data } = record as { name: string; type: string; ttl: number; data: unknown };
  const text = typeof data === 'string' ? data : dataText(data as Record<string, unknown> | Buffer[]);
  return [`${name} ${ttl} ${type} ${text}`];
}

function dataText(data: Record<string, unknown> | Buffer[]): string {
  if (Array.isArray(data)) return data.join(' ');
  if ('mname' in data) return `${data['mname']} ${data['rname']} ${data['serial']} ${data['minimum']}`;
  return `${data['flags']} ${data['tag']} ${data['value']}`;
}

/** Encodes a query. @param edns the response size that the client accepts; null for a query without EDNS. */
export function queryOf(name: string, type: string, edns: number | null = null): Buffer {
  return packet.encode({
    type: 'query',
    id: 0xbeef,
    flags: packet.RECURSION_DESIRED,
    questions: [{ name, type: type as packet.RecordType }],
    ...(edns === null
      ? {}
      : {
          additionals: [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: edns,
              extendedRcode: 0,
              ednsVersion: 0,
              flags: 0,
              flag_do: false,
              options: [],
            },
          ],
        }),
  });
}
