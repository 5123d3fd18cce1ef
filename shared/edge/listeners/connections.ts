import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { createVisitorNetworks } from '../../core/edge/visitor-networks.ts';
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

export type Connections = ReturnType<typeof createConnections>;

/**
 * Tracks the visitors' connections and the unfinished requests of each. It limits connections per address and requires progress on each
 * request.
 * @param onEnded called once for each request when it has ended, and for a WebSocket when its connection has.
 */
export function createConnections(limits: ConnectionLimits, onEnded: OnEnded = () => undefined) {
  const sockets = new Set<Socket>();
  const networks = createVisitorNetworks();
  const watched = new Map<Carrier, Connection>();
  /** For each request, when the edge began to wait for its visitor, and how many bytes had moved by then. */
  const marks = new WeakMap<VisitorRequest, { at: number; moved: number }>();
  let inFlight = 0;
  const inFlightOf = new Map<string, number>();
  const mayStart = fractionOfFree(limits.requests_network_parts);
  const { progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms } = limits;
  const everyMs = Math.min(progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms) / 4;
  const sweeper = setInterval(() => sweep(performance.now()), everyMs).unref();

  /**
   * Ends a request. A second call does nothing. A pipelined response that waits behind another gets no event of its own when the connection
   * breaks.
   */
  function end(connection: Connection, request: VisitorRequest): void {
    if (!connection.requests.delete(request)) return;
    request.leave();
    count(request, -1);
    if (request.tunnelled) connection.tunnel = request;
    else onEnded(request);
    if (connection.requests.size === 0) connection.onceIdle?.();
  }

  function count({ visitor: { network } }: VisitorRequest, change: 1 | -1): void {
    inFlight += change;
    const own = (inFlightOf.get(network) ?? 0) + change;
    if (own === 0) inFlightOf.delete(network);
    else inFlightOf.set(network, own);
  }

  function sweep(now: number): void {
    for (const connection of watched.values()) {
      for (const request of connection.requests) demandProgress(request, now);
      if (connection.requests.size > 0) continue;
      if (isSession(connection.carrier)) endIdle(connection, connection.carrier, now);
      else endEnded(connection, now);
    }
  }

  /**
   * Drops a request whose visitor moves too few bytes in a window. The limit is a rate, because a slow visitor could satisfy an idle
   * timeout with one byte a minute. It applies only while the edge waits for the visitor; waiting for an origin has its own limits.
   */
  function demandProgress(request: VisitorRequest, now: number): void {
    const { contested } = request;
    const { waitsForVisitor, moved } = request.wire;
    const mark = marks.get(request);
    if (!waitsForVisitor) marks.delete(request);
    else if (!mark) marks.set(request, { at: now, moved });
    else if (now - mark.at < (contested ? contested_window_ms : progress_window_ms)) return;
    else if (moved - mark.moved < (contested ? limits.contested_bytes_min : limits.progress_bytes_min))
      request.wire.drop();
    else marks.set(request, { at: now, moved });
  }

  /** Ends an idle session of HTTP/2. Node closes idle connections of HTTP/1.1, but would keep a session forever. */
  function endIdle(connection: Connection, carrier: ServerHttp2Session, now: number): void {
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
  function endEnded(connection: Connection, now: number): void {
    if (!connection.socket.writableEnded || connection.tunnel) return;
    connection.idleSince ??= now;
    if (now - connection.idleSince >= headers_timeout_ms) connection.socket.destroy();
  }

  return {
    /** Counts a TCP connection. Closes it at once if its address has too many. */
    admit(socket: Socket, address: string, isProxy: boolean): void {
      const { connections_per_address_max, connections_per_proxy_max } = limits;
      const open = networks.add(address);
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        networks.remove(address);
      });
      if (open > (isProxy ? connections_per_proxy_max : connections_per_address_max)) socket.destroy();
    },

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
      watched.set(carrier, connection);
      carrier.once('close', () => {
        watched.delete(carrier);
        for (const request of connection.requests) end(connection, request);
        if (connection.tunnel) onEnded(connection.tunnel);
      });
    },

    of: (carrier: Carrier): Connection | undefined => watched.get(carrier),

    /** Returns whether a network may have another unfinished request. Tunnels do not count. */
    hasRoom({ network }: Visitor): boolean {
      const free = limits.requestsInFlightMax - inFlight;
      return free > 0 && mayStart(inFlightOf.get(network) ?? 0, free, network);
    },

    /** Yields the unfinished requests and the tunnels. */
    *underWay(): Iterable<VisitorRequest> {
      for (const { requests, tunnel } of watched.values()) {
        yield* requests;
        if (tunnel) yield tunnel;
      }
    },

    start(connection: Connection, request: VisitorRequest): void {
      connection.requests.add(request);
      connection.used = true;
      connection.idleSince = null;
      count(request, 1);
      request.wire.onClosed(() => end(connection, request));
    },

    /**
     * Closes the HTTP/1.1 connections that have no unfinished request. GOAWAY ends the sessions of HTTP/2.
     * @param andUnused also closes connections that have had no request yet. A first request may already be on its way, and the visitor
     * would not know that it must be sent again.
     */
    destroyIdle(andUnused: boolean): void {
      for (const { carrier, requests, tunnel, used } of watched.values()) {
        if (requests.size === 0 && !tunnel && !isSession(carrier) && (used || andUnused)) carrier.destroy();
      }
    },

    /** Destroys all connections. Resolves once they have closed, so that each request has ended. */
    async destroy(): Promise<void> {
      clearInterval(sweeper);
      const closed = Array.from(
        watched.keys(),
        (carrier) => new Promise<void>((resolve) => carrier.once('close', resolve)),
      );
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
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
