import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { VisitorNetworks } from '../../core/edge/visitor-networks.ts';
import type { VisitorRequest } from '../visitor-request.ts';
import type { Visitor } from '../wire/wire.ts';
import type { EdgeLimits } from './edge-limits.ts';

/** What requests come over: a connection of HTTP/1.1, or a session of HTTP/2. */
export type Carrier = Socket | ServerHttp2Session;

/** A visitor's connection and the requests on it that are not answered yet. */
export interface Connection {
  readonly carrier: Carrier;
  /** What the carrier is, or runs over. */
  readonly socket: Socket;
  readonly visitor: Visitor;
  readonly requests: Set<VisitorRequest>;
  /** Nothing more is taken from it. */
  refused: boolean;
  /** Since when it has been seen to have no request, in milliseconds of `performance.now()`. */
  idle_since: number | null;
  /** It has been told to go (RFC 9113 section 6.8). */
  dismissed: boolean;
  /** It has had a request. */
  used: boolean;
  /** The WebSocket that it carries now. */
  tunnel: VisitorRequest | null;
}

/** The visitors' connections: bounded per address, watched for progress, and the requests that each of them waits for. */
export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #networks = new VisitorNetworks();
  readonly #watched = new Map<Carrier, Connection>();
  /** Since when the edge has been waiting for a visitor, and what had been moved by then. */
  readonly #marks = new WeakMap<VisitorRequest, { at: number; moved: number }>();
  readonly #limits: ConnectionLimits;
  readonly #sweeper: NodeJS.Timeout;
  #in_flight = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    const { progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms } = limits;
    const every_ms = Math.min(progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms) / 4;
    this.#sweeper = setInterval(() => this.#sweep(performance.now()), every_ms).unref();
  }

  /** Counts a TCP connection; one too many of its address is closed at once. */
  admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const count = this.#networks.add(address);
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#networks.remove(address);
    });
    if (count > this.#limits.connections_per_address_max) socket.destroy();
  }

  /** Starts to watch what requests come over. */
  watch(carrier: Carrier, visitor: Visitor, socket: Socket): void {
    const connection: Connection = {
      carrier,
      socket,
      visitor,
      requests: new Set(),
      refused: false,
      idle_since: null,
      dismissed: false,
      used: false,
      tunnel: null,
    };
    this.#watched.set(carrier, connection);
    carrier.once('close', () => {
      this.#watched.delete(carrier);
      for (const request of connection.requests) this.#end(connection, request);
    });
  }

  of(carrier: Carrier): Connection | undefined {
    return this.#watched.get(carrier);
  }

  /** Requests that are being answered, over all connections; a tunnel is none any more. */
  get in_flight(): number {
    return this.#in_flight;
  }

  /** Requests that are being answered, and tunnels. */
  *underWay(): Iterable<VisitorRequest> {
    for (const { requests, tunnel } of this.#watched.values()) {
      yield* requests;
      if (tunnel) yield tunnel;
    }
  }

  start(connection: Connection, request: VisitorRequest): void {
    connection.requests.add(request);
    connection.used = true;
    connection.idle_since = null;
    this.#in_flight++;
    request.wire.onClosed(() => this.#end(connection, request));
  }

  /**
   * Ends the connections of HTTP/1.1 on which no answer is owed. Sessions of HTTP/2 are told by GOAWAY.
   * @param and_unused those too that have had no request: the first may be on its way, and nothing tells a visitor to ask again.
   */
  destroyIdle(and_unused: boolean): void {
    for (const { carrier, requests, tunnel, used } of this.#watched.values()) {
      if (requests.size === 0 && !tunnel && !isSession(carrier) && (used || and_unused)) carrier.destroy();
    }
  }

  destroy(): void {
    clearInterval(this.#sweeper);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The second call does nothing: an answer that waits behind another has no end of its own when the connection breaks. */
  #end(connection: Connection, request: VisitorRequest): void {
    if (!connection.requests.delete(request)) return;
    request.leave();
    this.#in_flight--;
    if (request.tunnelled) connection.tunnel = request;
  }

  #sweep(now: number): void {
    for (const connection of this.#watched.values()) {
      for (const request of connection.requests) this.#demandProgress(request, now);
      if (connection.requests.size > 0) continue;
      if (isSession(connection.carrier)) this.#endIdle(connection, connection.carrier, now);
      else this.#endEnded(connection, now);
    }
  }

  /**
   * An idle limit that any byte resets is met by a byte a minute; this one asks for a rate, and only while it is the visitor that
   * the edge waits for. Waiting for an origin has its own limits.
   */
  #demandProgress(request: VisitorRequest, now: number): void {
    const { window_ms, bytes_min } = this.#paceOf(request);
    const { waits_for_visitor, moved } = request.wire;
    const mark = this.#marks.get(request);
    if (!waits_for_visitor) this.#marks.delete(request);
    else if (!mark) this.#marks.set(request, { at: now, moved });
    else if (now - mark.at < window_ms) return;
    else if (moved - mark.moved < bytes_min) request.wire.drop();
    else this.#marks.set(request, { at: now, moved });
  }

  #paceOf({ contested }: VisitorRequest): { window_ms: number; bytes_min: number } {
    const limits = this.#limits;
    return contested
      ? { window_ms: limits.contested_window_ms, bytes_min: limits.contested_bytes_min }
      : { window_ms: limits.progress_window_ms, bytes_min: limits.progress_bytes_min };
  }

  /** Node does this for HTTP/1.1; a session of HTTP/2 it would keep for ever. */
  #endIdle(connection: Connection, carrier: ServerHttp2Session, now: number): void {
    const { keep_alive_ms, headers_timeout_ms } = this.#limits;
    const { used, socket } = connection;
    connection.idle_since ??= now;
    const isOver = carrier.closed || carrier.destroyed;
    if (now - connection.idle_since < (used && !isOver ? keep_alive_ms : headers_timeout_ms)) return;
    // A visitor that keeps the connection open would hold its slot and its descriptor for ever, so the edge warns once and then destroys the
    // socket. A session that has sent or received GOAWAY waits for the visitor to close, and only the end of its socket frees both.
    if (connection.dismissed || isOver) socket.destroy();
    else carrier.goaway();
    connection.dismissed = true;
  }

  /**
   * Destroys a socket of HTTP/1.1 that has ended and does not close. Node's TLS never completes what it writes to a visitor that said
   * close_notify and reset the connection, so the socket and its descriptor would stay for ever. A tunnel has its own timeout.
   */
  #endEnded(connection: Connection, now: number): void {
    if (!connection.socket.writableEnded || connection.tunnel) return;
    connection.idle_since ??= now;
    if (now - connection.idle_since >= this.#limits.headers_timeout_ms) connection.socket.destroy();
  }
}

type ConnectionLimits = Pick<
  EdgeLimits,
  | 'connections_per_address_max'
  | 'headers_timeout_ms'
  | 'keep_alive_ms'
  | 'progress_window_ms'
  | 'progress_bytes_min'
  | 'contested_window_ms'
  | 'contested_bytes_min'
>;

function isSession(carrier: Carrier): carrier is ServerHttp2Session {
  return 'goaway' in carrier;
}
