import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ownServer } from '../../shared/adapters/owned-server.ts';
import { EDGE_LIMITS } from '../../shared/edge/listeners/edge-limits.ts';

/** One port for HTTP and HTTPS: the first byte of a connection says which it is. */
export interface EdgePort {
  /** @throws Error with `code` EADDRINUSE. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more connections; those that were given on are not its own any more. */
  close(): void;
}

/** Who goes on with a connection as if it had come to a port of its own. */
export interface Taker {
  accept(socket: Socket): void;
}

export interface EdgePortOptions {
  /** Asked with each connection. */
  takerOf(speaks: 'http' | 'tls'): Promise<Taker>;
  on_failure(error: unknown): void;
}

/** How a TLS connection begins (RFC 8446 section 5.1): with a record of its handshake. No method of HTTP begins so. */
const TLS_HANDSHAKE = 0x16;

export function createEdgePort({ takerOf, on_failure }: EdgePortOptions): EdgePort {
  const waiting = new Set<Socket>();
  // Accepted as Node's HTTP server accepts.
  const server = ownServer(
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket));
      socket.setTimeout(EDGE_LIMITS.headers_timeout_ms, endSilent);
      socket.once('readable', () => {
        const head: Buffer | null = socket.read();
        // The other end closed before it sent a byte.
        if (head === null) socket.destroy();
        else void giveOn(socket, head);
      });
    }),
    ({ kind, error }) => kind === 'node' && on_failure(error),
  );
  server.maxConnections = EDGE_LIMITS.connections_max;

  async function giveOn(socket: Socket, head: Buffer): Promise<void> {
    const speaks = head[0] === TLS_HANDSHAKE ? 'tls' : 'http';
    try {
      const taker = await takerOf(speaks);
      if (socket.destroyed) return;
      waiting.delete(socket);
      socket.setTimeout(0, endSilent);
      // As Node's TLS server accepts.
      if (speaks === 'tls') socket.allowHalfOpen = false;
      socket.unshift(head);
      taker.accept(socket);
    } catch (error) {
      on_failure(error);
      socket.destroy();
    }
  }

  return {
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    close() {
      server.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

function endSilent(this: Socket): void {
  this.destroy();
}
