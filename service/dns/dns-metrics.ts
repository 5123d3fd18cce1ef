import { Counter, Gauge, type Registry } from 'prom-client';
import type { CountedEdge } from '../../shared/core/edge/edge-health.ts';
import type { DnsTransport } from '../../shared/dns/server/dns-responder.ts';

/** Counts the messages of the DNS role. */
export interface DnsMetrics {
  /** Counts a received message by its response. @param response null if the server sent no response. */
  message(transport: DnsTransport, response: Buffer | null): void;
  /** Sets how to read the edge machines that this name server knows. */
  edges(read: () => readonly CountedEdge[]): void;
}

const TRANSPORTS: readonly DnsTransport[] = ['udp', 'tcp'];
/**
 * The response codes that the server sends, by number. The code BADVERS is counted as NOERROR, because its upper bits are not in the
 * header.
 */
const RCODES: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
};

/**
 * Creates the counters. Each message only increments a plain number, because a labelled counter would cost more than the message itself.
 * Prometheus reads the sums.
 */
export function createDnsMetrics(registry: Registry): DnsMetrics {
  const responses = { udp: new Float64Array(16), tcp: new Float64Array(16) };
  const truncated = { udp: 0, tcp: 0 };
  const dropped = { udp: 0, tcp: 0 };
  const registers = [registry];
  new Counter({
    name: 'nameplate_dns_responses_total',
    help: 'Responses of the DNS role, by transport and response code',
    labelNames: ['transport', 'rcode'],
    registers,
    collect() {
      this.reset();
      for (const transport of TRANSPORTS) {
        for (const [number, rcode] of Object.entries(RCODES))
          this.inc({ transport, rcode }, responses[transport][Number(number)]);
      }
    },
  });
  const byTransport = (name: string, help: string, counts: Record<DnsTransport, number>) =>
    new Counter({
      name,
      help,
      labelNames: ['transport'],
      registers,
      collect() {
        this.reset();
        for (const transport of TRANSPORTS) this.inc({ transport }, counts[transport]);
      },
    });
  byTransport(
    'nameplate_dns_truncated_total',
    'Responses of the DNS role that were too large, so that the client asks again over TCP',
    truncated,
  );
  byTransport('nameplate_dns_dropped_total', 'Messages to the DNS role that got no response', dropped);
  let readEdges: () => readonly CountedEdge[] = () => [];
  new Gauge({
    name: 'nameplate_edges',
    help: 'Edge machines that this name server knows, by region and state: serving, silent or draining',
    labelNames: ['region', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { region, state } of readEdges()) this.inc({ region, state });
    },
  });
  return {
    edges(read) {
      readEdges = read;
    },
    message(transport, response) {
      if (response === null) {
        dropped[transport]++;
        return;
      }
      const counts = responses[transport];
      const rcode = (response[3] ?? 0) & 15;
      counts[rcode] = (counts[rcode] ?? 0) + 1;
      if (((response[2] ?? 0) & 2) !== 0) truncated[transport]++;
    },
  };
}
