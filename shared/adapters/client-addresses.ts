import type { Server, Socket } from 'node:net';
import { readProxyHeader } from '../core/edge/proxy-header.ts';
import { type AddressSet, NO_ADDRESSES, unmapped } from '../core/net/address-set.ts';

/** Proxies and load balancers in front of a server that are trusted to report the client of a connection or of a request. */
export interface TrustedHops {
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: AddressSet;
  /** Load balancers that start each connection with a PROXY protocol header. The server reads no such header from other addresses. */
  balancers: AddressSet;
}

export const NO_HOPS: TrustedHops = { proxies: NO_ADDRESSES, balancers: NO_ADDRESSES };

/** Finds the addresses of the clients of one server. */
export interface ClientAddresses {
  /** Returns the address that connected, or the address that a trusted load balancer reported. */
  of(socket: Ends): string;
  /**
   * Makes a server wait for the PROXY protocol header on each connection from a trusted load balancer. Call it after all `connection`
   * listeners were added, because these listeners are then called only for connections whose client is known.
   */
  readHeaders(server: Server): void;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>;

/**
 * Time in which the PROXY protocol header must arrive. A load balancer sends the header in the first packet, and TCP sends a lost packet
 * again within this time.
 */
const HEADER_MS = 4_000;

export function clientAddresses({ balancers }: Pick<TrustedHops, 'balancers'>): ClientAddresses {
  /** Client addresses by the two ends of a connection, because Node.js does not reveal over which socket a TLS socket runs. */
  const named = new Map<string, string>();

  function name(socket: Socket, address: string): void {
    const ends = endsOf(socket);
    named.set(ends, address);
    socket.once('close', () => named.delete(ends));
  }

  return {
    of(socket) {
      const address = named.size === 0 ? undefined : named.get(endsOf(socket));
      return address ?? unmapped(socket.remoteAddress ?? '');
    },
    readHeaders(server) {
      if (balancers.isEmpty) return;
      const listeners = server.rawListeners('connection');
      const passOn = (socket: Socket) => {
        for (const listener of listeners) listener.call(server, socket);
      };
      server.removeAllListeners('connection');
      server.on('connection', (socket: Socket) => {
        if (!balancers.has(socket.remoteAddress ?? '')) return passOn(socket);
        // The listeners that handle errors are added only once the header has arrived, so earlier errors are ignored here.
        const ignore = () => undefined;
        socket.on('error', ignore);
        const timer = setTimeout(() => socket.destroy(), HEADER_MS);
        socket.once('close', () => clearTimeout(timer));
        readHeader(socket, (address) => {
          clearTimeout(timer);
          if (address !== null) name(socket, address);
          passOn(socket);
          socket.off('error', ignore);
        });
      });
    },
  };
}

/**
 * Removes the PROXY protocol header from a connection and passes on the address in it. Ends a connection without a valid header, which the
 * protocol requires (section 2).
 */
function readHeader(socket: Socket, then: (address: string | null) => void, before = Buffer.alloc(0)): void {
  socket.once('readable', () => {
    const chunk: Buffer | null = socket.read();
    // The connection ended without a header.
    if (chunk === null) return void socket.destroy();
    const bytes = Buffer.concat([before, chunk]);
    const header = readProxyHeader(bytes);
    if (header.state === 'partial') return readHeader(socket, then, bytes);
    if (header.state === 'invalid') return void socket.destroy();
    const rest = bytes.subarray(header.bytes);
    if (rest.length > 0) socket.unshift(rest);
    then(header.address);
  });
}

function endsOf({ remoteAddress, remotePort, localAddress }: Ends): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
