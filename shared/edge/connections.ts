import { isIPv6, type Socket } from 'node:net';
import type { EdgeLimits } from './edge-limits.ts';
import type { Exchange } from './exchange.ts';

/** The visitors' connections: bounded per address, watched for progress, and the requests that each of them waits for. */
export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #per_network = new Map<string, number>();
  readonly #watched = new Map<Socket, Connection>();
  readonly #limits: ConnectionLimits;
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(performance.now()), limits.progress_window_ms / 4).unref();
  }

  /** Counts a TCP connection; one too many of its address is closed at once. */
  admit(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (this.#per_network.get(network) ?? 0) + 1;
    this.#per_network.set(network, count);
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      const left = (this.#per_network.get(network) ?? 1) - 1;
      if (left === 0) this.#per_network.delete(network);
      else this.#per_network.set(network, left);
    });
    if (count > this.#limits.connections_per_address_max) socket.destroy();
  }

  /** Starts to watch what requests come over: the TCP connection, or the TLS one on top of it. */
  watch(socket: Socket): void {
    this.#watched.set(socket, { exchanges: new Set(), refused: false, mark: null });
    socket.once('close', () => {
      const connection = this.#watched.get(socket);
      this.#watched.delete(socket);
      for (const exchange of connection?.exchanges ?? []) exchange.leave();
    });
  }

  /** @returns false when nothing more is taken from this connection. */
  start(exchange: Exchange): boolean {
    const connection = this.#watched.get(exchange.socket);
    if (!connection || connection.refused) return false;
    if (connection.exchanges.size >= this.#limits.pipelined_max) {
      exchange.socket.destroy();
      return false;
    }
    connection.exchanges.add(exchange);
    exchange.res.once('close', () => connection.exchanges.delete(exchange));
    return true;
  }

  /** What follows a request that could not be trusted is not looked at. */
  refuse(socket: Socket): void {
    const connection = this.#watched.get(socket);
    if (connection) connection.refused = true;
  }

  isRefused(socket: Socket): boolean {
    return this.#watched.get(socket)?.refused ?? true;
  }

  /** The requests whose answers have not left yet. */
  exchangesOf(socket: Socket): Exchange[] {
    return [...(this.#watched.get(socket)?.exchanges ?? [])];
  }

  /** Ends the connections on which no answer is owed. */
  destroyIdle(): void {
    for (const [socket, { exchanges }] of this.#watched) if (exchanges.size === 0) socket.destroy();
  }

  destroy(): void {
    clearInterval(this.#sweeper);
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * An idle limit that any byte resets is met by a byte a minute; this one asks for a rate, and only while it is the visitor that
   * the edge waits for. Waiting for an origin has its own limits, waiting for a next request Node's.
   */
  #sweep(now: number): void {
    const { progress_window_ms, progress_bytes_min } = this.#limits;
    for (const [socket, connection] of this.#watched) {
      const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength;
      const { mark } = connection;
      if (!waitsForVisitor(socket, connection)) connection.mark = null;
      else if (mark === null) connection.mark = { at: now, moved };
      else if (now - mark.at >= progress_window_ms) {
        if (moved - mark.moved < progress_bytes_min) socket.destroy();
        else connection.mark = { at: now, moved };
      }
    }
  }
}

type ConnectionLimits = Pick<
  EdgeLimits,
  'connections_per_address_max' | 'pipelined_max' | 'progress_window_ms' | 'progress_bytes_min'
>;

interface Connection {
  exchanges: Set<Exchange>;
  refused: boolean;
  /** Since when the edge has been waiting for this visitor, and what had been moved by then. */
  mark: { at: number; moved: number } | null;
}

function waitsForVisitor(socket: Socket, { exchanges }: Connection): boolean {
  if (exchanges.size === 0) return false;
  if (socket.writableLength > 0) return true;
  for (const { req } of exchanges) if (!req.complete && req.readableFlowing === true) return true;
  return false;
}

/** An IPv6 visitor has a /64 to itself, so that is what is counted. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const last = tail ? tail.split(':') : [];
  const gap = tail === undefined ? 0 : 8 - groups.length - last.length;
  return [...groups, ...Array<string>(gap).fill('0'), ...last].slice(0, 4).join(':');
}
