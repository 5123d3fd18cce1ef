import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { VisitorNetworks } from '../../core/edge/visitor-networks.ts';
import { fractionOfFree } from '../../core/fairness/fair-slots.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import type { VisitorRequest } from '../visitor-request.ts';
import type { Visitor } from '../wire/wire.ts';

/** The carrier of requests: a connection of HTTP/1.1, or a session of HTTP/2. */
export type Carrier = Socket | ServerHttp2Session;

/** A visitor's connection and its unfinished requests. */
export interface Connection {
  readonly carrier: Carrier;
  /** The carrier itself, or the socket that it runs over. */
  readonly socket: Socket;
  readonly visitor: Visitor;
  readonly requests: Set<VisitorRequest>;
  /** True if the edge accepts no more requests from it. */
  refused: boolean;
  /** Called once the last of the requests has ended. */
  onceIdle: (() => void) | null;
  /** Since when the connection has had no request, as `performance.now()` in milliseconds; null while it has one. */
  idleSince: number | null;
  /** True once GOAWAY was sent (RFC 9113 section 6.8). */
  dismissed: boolean;
  /** True once it has had a request. */
  used: boolean;
  /** The WebSocket that the connection carries. */
  tunnel: VisitorRequest | null;
}

/**
 * Tracks the visitors' connections and the unfinished requests of each. It limits connections per address and requires progress on each
 * request.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #networks = new VisitorNetworks();
  readonly #watched = new Map<Carrier, Connection>();
  /** For each request, when the edge began to wait for its visitor, and how many bytes had moved by then. */
  readonly #marks = new WeakMap<VisitorRequest, { at: number; moved: number }>();
  readonly #limits: ConnectionLimits;
  readonly #onEnded: OnEnded;
  readonly #sweeper: NodeJS.Timeout;
  #inFlight = 0;
  readonly #inFlightOf = new Map<string, number>();

  /** @param onEnded called once for each request when it has ended, and for a WebSocket when its connection has. */
  constructor(limits: ConnectionLimits, onEnded: OnEnded = () => undefined) {
    this.#limits = limits;
    this.#onEnded = onEnded;
    const { progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms } = limits;
    const everyMs = Math.min(progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms) / 4;
    this.#sweeper = setInterval(() => this.#sweep(performance.now()), everyMs).unref();
  }

  /** Counts a TCP connection. Closes it at once if its address has too many. */
  admit(socket: Socket, address: string, isProxy: boolean): void {
    const { connections_per_address_max, connections_per_proxy_max } = this.#limits;
    const count = this.#networks.add(address);
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#networks.remove(address);
    });
    if (count > (isProxy ? connections_per_proxy_max : connections_per_address_max)) socket.destroy();
  }

  /** Starts to watch a connection or session. */
  watch(carrier: Carrier, visitor: Visitor, socket: Socket): void {
    const connection: Connection = {
      carrier,
      socket,
      visitor,
      requests: new Set(),
      refused: false,
      onceIdle: null,
      idleSince: null,
      dismissed: false,
      used: false,
      tunnel: null,
    };
    this.#watched.set(carrier, connection);
    carrier.once('close', () => {
      this.#watched.delete(carrier);
      for (const request of connection.requests) this.#end(connection, request);
      if (connection.tunnel) this.#onEnded(connection.tunnel);
    });
  }

  of(carrier: Carrier): Connection | undefined {
    return this.#watched.get(carrier);
  }

  /** Returns whether a network may have another unfinished request. Tunnels do not count. */
  hasRoom({ network }: Visitor): boolean {
    const free = this.#limits.requestsInFlightMax - this.#inFlight;
    const mayStart = fractionOfFree(this.#limits.requests_network_parts);
    return free > 0 && mayStart(this.#inFlightOf.get(network) ?? 0, free, network);
  }

  /** Yields the unfinished requests and the tunnels. */
  *underWay(): Iterable<VisitorRequest> {
    for (const { requests, tunnel } of this.#watched.values()) {
      yield* requests;
      if (tunnel) yield tunnel;
    }
  }

  start(connection: Connection, request: VisitorRequest): void {
    connection.requests.add(request);
    connection.used = true;
    connection.idleSince = null;
    this.#count(request, 1);
    request.wire.onClosed(() => this.#end(connection, request));
  }

  /**
   * Closes the HTTP/1.1 connections that have no unfinished request. GOAWAY ends the sessions of HTTP/2.
   * @param andUnused also closes connections that have had no request yet. A first request may already be on its way, and the visitor would
   * not know that it must be sent again.
   */
  destroyIdle(andUnused: boolean): void {
    for (const { carrier, requests, tunnel, used } of this.#watched.values()) {
      if (requests.size === 0 && !tunnel && !isSession(carrier) && (used || andUnused)) carrier.destroy();
    }
  }

  /** Destroys all connections. Resolves once they have closed, so that each request has ended. */
  async destroy(): Promise<void> {
    clearInterval(this.#sweeper);
    const closed = Array.from(
      this.#watched.keys(),
      (carrier) => new Promise<void>((resolve) => carrier.once('close', resolve)),
    );
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  /**
   * Ends a request. A second call does nothing. A pipelined response that waits behind another gets no event of its own when the connection
   * breaks.
   */
  #end(connection: Connection, request: VisitorRequest): void {
    if (!connection.requests.delete(request)) return;
    request.leave();
    this.#count(request, -1);
    if (request.tunnelled) connection.tunnel = request;
    else this.#onEnded(request);
    if (connection.requests.size === 0) connection.onceIdle?.();
  }

  #count({ visitor: { network } }: VisitorRequest, change: 1 | -1): void {
    this.#inFlight += change;
    const own = (this.#inFlightOf.get(network) ?? 0) + change;
    if (own === 0) this.#inFlightOf.delete(network);
    else this.#inFlightOf.set(network, own);
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
   * Drops a request whose visitor moves too few bytes in a window. The limit is a rate, because a slow visitor could satisfy an idle
   * timeout with one byte a minute. It applies only while the edge waits for the visitor; waiting for an origin has its own limits.
   */
  #demandProgress(request: VisitorRequest, now: number): void {
    const { windowMs, bytesMin } = this.#paceOf(request);
    const { waitsForVisitor, moved } = request.wire;
    const mark = this.#marks.get(request);
    if (!waitsForVisitor) this.#marks.delete(request);
    else if (!mark) this.#marks.set(request, { at: now, moved });
    else if (now - mark.at < windowMs) return;
    else if (moved - mark.moved < bytesMin) request.wire.drop();
    else this.#marks.set(request, { at: now, moved });
  }

  #paceOf({ contested }: VisitorRequest): { windowMs: number; bytesMin: number } {
    const limits = this.#limits;
    return contested
      ? { windowMs: limits.contested_window_ms, bytesMin: limits.contested_bytes_min }
      : { windowMs: limits.progress_window_ms, bytesMin: limits.progress_bytes_min };
  }

  /** Ends an idle session of HTTP/2. Node closes idle connections of HTTP/1.1, but would keep a session forever. */
  #endIdle(connection: Connection, carrier: ServerHttp2Session, now: number): void {
    const { keep_alive_ms, headers_timeout_ms } = this.#limits;
    const { used, socket } = connection;
    connection.idleSince ??= now;
    const isOver = carrier.closed || carrier.destroyed;
    if (now - connection.idleSince < (used && !isOver ? keep_alive_ms : headers_timeout_ms)) return;
    // A visitor that keeps the connection open would hold its slot and its descriptor forever. So the edge sends GOAWAY once and later
    // destroys the socket. A session that has sent or received GOAWAY waits for the visitor to close, and only the end of its socket frees
    // both.
    if (connection.dismissed || isOver) socket.destroy();
    else carrier.goaway();
    connection.dismissed = true;
  }

  /**
   * Destroys an HTTP/1.1 socket that has ended but does not close. If a visitor sends close_notify and resets the connection, Node's TLS
   * never completes its write, so the socket and its descriptor would stay forever. A tunnel has its own timeout.
   */
  #endEnded(connection: Connection, now: number): void {
    if (!connection.socket.writableEnded || connection.tunnel) return;
    connection.idleSince ??= now;
    if (now - connection.idleSince >= this.#limits.headers_timeout_ms) connection.socket.destroy();
  }
}

type OnEnded = (request: VisitorRequest) => void;

type ConnectionLimits = Pick<
  EdgeLimits,
  | 'connections_per_address_max'
  | 'connections_per_proxy_max'
  | 'headers_timeout_ms'
  | 'requestsInFlightMax'
  | 'requests_network_parts'
  | 'keep_alive_ms'
  | 'progress_window_ms'
  | 'progress_bytes_min'
  | 'contested_window_ms'
  | 'contested_bytes_min'
>;

function isSession(carrier: Carrier): carrier is ServerHttp2Session {
  return 'goaway' in carrier;
}
