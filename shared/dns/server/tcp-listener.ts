import { once } from 'node:events';
import { createServer, isIPv6, type Socket } from 'node:net';
import { ownServer } from '../../adapters/owned-server.ts';
import { BUDGETS } from '../../core/budgets.ts';
import { createVisitorNetworks } from '../../core/edge/visitor-networks.ts';
import type { DnsListener, DnsListenerOptions } from './udp-listener.ts';

/** Limits of connections to a DNS server (RFC 7766 section 6.2). */
export interface DnsTcpLimits {
  /** Maximum number of connections. Beyond it, a new connection closes the one that was used least recently. */
  connectionsMax: number;
  /** Maximum number of connections of one network, which is an IPv4 address or an IPv6 /64. Further connections are closed at once. */
  perNetworkMax: number;
  /** A connection is closed this long after its last complete query. */
  idleMs: number;
}

export const DNS_TCP_LIMITS: DnsTcpLimits = {
  connectionsMax: 1000,
  perNetworkMax: BUDGETS.dns_connections.limit,
  idleMs: 10_000,
};

/** Maximum length of a query, longer than any real query. If a client announces a longer one, its connection is closed. */
const QUERY_BYTES_MAX = 4096;
/** Maximum size of the responses that a client has not read yet. Beyond it, the server stops reading the client's queries. */
const UNREAD_BYTES_MAX = 64 * 1024;

/** Listens for queries over TCP. One connection can carry many queries. @throws Error with `code` EADDRINUSE if the port is in use. */
export async function listenTcp(
  host: string,
  port: number,
  { respond, onMessage, onError }: DnsListenerOptions,
  { connectionsMax, perNetworkMax, idleMs }: DnsTcpLimits = DNS_TCP_LIMITS,
): Promise<DnsListener> {
  /** Open connections, the least recently used first. */
  const open = new Set<Socket>();
  const networks = createVisitorNetworks();

  /**
   * Responds to the complete queries in these bytes.
   * @returns the bytes of an incomplete query at the end; null if the client violates the protocol.
   */
  function answerAll(socket: Socket, bytes: Buffer, address: string): Buffer | null {
    let at = 0;
    socket.cork();
    while (bytes.length - at >= 2) {
      const length = bytes.readUInt16BE(at);
      if (length > QUERY_BYTES_MAX) return null;
      if (bytes.length - at - 2 < length) break;
      const response = respond(bytes.subarray(at + 2, at + 2 + length), 'tcp', address);
      onMessage('tcp', response);
      // Only a message that is not a query gets no response. Closes its connection.
      if (response === null) return null;
      socket.write(Buffer.of(response.length >> 8, response.length & 0xff));
      socket.write(response);
      at += 2 + length;
    }
    process.nextTick(() => socket.uncork());
    if (at > 0) {
      open.delete(socket);
      open.add(socket);
    }
    return bytes.subarray(at);
  }

  function serve(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const count = networks.add(address);
    socket.once('close', () => networks.remove(address));
    if (count > perNetworkMax) return void socket.destroy();
    if (open.size >= connectionsMax) open.values().next().value?.destroy();
    open.add(socket);
    let incomplete: Buffer = Buffer.alloc(0);
    const idle = setTimeout(() => socket.destroy(), idleMs);
    socket.once('close', () => {
      clearTimeout(idle);
      open.delete(socket);
    });
    socket.on('data', (chunk) => {
      const bytes = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk]);
      const rest = answerAll(socket, bytes, address);
      if (rest === null) return void socket.destroy();
      // Only a complete query restarts the idle timeout, not single bytes.
      if (rest.length < bytes.length) idle.refresh();
      // Copies the bytes, so that a few bytes do not keep a large chunk in memory.
      incomplete = Buffer.from(rest);
      if (socket.writableLength > UNREAD_BYTES_MAX) socket.pause();
    });
    socket.on('drain', () => socket.resume());
  }

  const server = ownServer(createServer({ noDelay: true }, serve), onError);
  server.listen({ port, host, ipv6Only: isIPv6(host), exclusive: true });
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // The responses to all complete queries are already written to the sockets, so `end` sends them first.
      for (const socket of open) socket.end();
      const late = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}
