import type { ReportConnectionError } from '../../adapters/owned-server.ts';
import type { DnsResponder, DnsTransport } from './dns-responder.ts';
import { DNS_TCP_LIMITS, type DnsTcpLimits, listenTcp } from './tcp-listener.ts';
import { type DnsListener, listenUdp } from './udp-listener.ts';

/** A DNS server that listens on UDP and TCP. */
export interface DnsServer {
  addresses: readonly ListenAddress[];
  /** Stops the server. Waits up to `graceMs` until connections have received their responses. */
  close(graceMs: number): Promise<void>;
}

interface ListenAddress {
  host: string;
  port: number;
}

export interface DnsServerOptions {
  listen: readonly ListenAddress[];
  respond: DnsResponder;
  onMessage: (transport: DnsTransport, response: Buffer | null) => void;
  onError: ReportConnectionError;
  limits?: DnsTcpLimits;
}

/** Maximum number of attempts to find a port that is free for both UDP and TCP, if the system chooses the port. */
const TRIES_MAX = 10;

/**
 * Starts a DNS server on all the given addresses.
 * @throws Error with `code` EADDRINUSE if a port is in use. The server then listens on no address.
 */
export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const { limits = DNS_TCP_LIMITS, ...rest } = options;
  const listeners: DnsListener[] = [];
  const addresses: ListenAddress[] = [];

  async function listenOn({ host, port }: ListenAddress): Promise<void> {
    for (let left = port === 0 ? TRIES_MAX : 1; ; left--) {
      const udp = await listenUdp(host, port, rest);
      try {
        listeners.push(await listenTcp(host, udp.port, rest, limits), udp);
        addresses.push({ host, port: udp.port });
        return;
      } catch (error) {
        await udp.close(0);
        if (left <= 1) throw error;
      }
    }
  }

  async function close(graceMs: number): Promise<void> {
    await Promise.all(listeners.splice(0).map((each) => each.close(graceMs)));
  }

  try {
    for (const each of options.listen) await listenOn(each);
  } catch (error) {
    await close(0);
    throw error;
  }
  return { addresses, close };
}
