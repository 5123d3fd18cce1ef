import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ownServer } from '../../shared/adapters/owned-server.ts';
import { EDGE_LIMITS } from '../../shared/edge/edge-limits.ts';

/** A port that accepts both HTTP and HTTPS. The first byte of a connection shows which of them it uses. */
export interface EdgePort {
  /** Starts listening and returns the port. @throws Error with `code` EADDRINUSE if the port is taken. */
  listen(port: number, host: string): Promise<number>;
  /** Stops accepting connections, and closes connections that have sent nothing yet. Connections that a server has taken over stay open. */
  close(): void;
}

/** A server that can take over a connection that the port has accepted. */
export interface SocketAcceptor {
  accept(socket: Socket): void;
}

export interface EdgePortOptions {
  /** Returns the server that takes over a new connection with this protocol. */
  acceptorFor(speaks: 'http' | 'tls'): Promise<SocketAcceptor>;
  onFailure(error: unknown): void;
}

/** First byte of a TLS connection: the type of a handshake record (RFC 8446 section 5.1). No HTTP method starts with it. */
const TLS_HANDSHAKE = 0x16;

export function createEdgePort({ acceptorFor, onFailure }: EdgePortOptions): EdgePort {
  const waiting = new Set<Socket>();
  // Use the same socket options as Node's HTTP server.
  const server = ownServer(
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      waiting.add(socket);
      socket.once('close', () => waiting.delete(socket));
      socket.setTimeout(EDGE_LIMITS.headers_timeout_ms, destroySilent);
      socket.once('readable', () => {
        const head: Buffer | null = socket.read();
        // The client closed the connection before it sent a byte.
        if (head === null) socket.destroy();
        else void handOver(socket, head);
      });
    }),
    ({ kind, error }) => kind === 'node' && onFailure(error),
  );
  server.maxConnections = EDGE_LIMITS.connectionsMax;

  async function handOver(socket: Socket, head: Buffer): Promise<void> {
    const speaks = head[0] === TLS_HANDSHAKE ? 'tls' : 'http';
    try {
      const acceptor = await acceptorFor(speaks);
      if (socket.destroyed) return;
      waiting.delete(socket);
      socket.setTimeout(0, destroySilent);
      // Use the same setting as Node's TLS server.
      if (speaks === 'tls') socket.allowHalfOpen = false;
      socket.unshift(head);
      acceptor.accept(socket);
    } catch (error) {
      onFailure(error);
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

function destroySilent(this: Socket): void {
  this.destroy();
}
