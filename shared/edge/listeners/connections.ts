import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { createVisitorNetworks } from '../../core/edge/visitor-networks.ts';
import { fractionOfFree } from '../../core/fairness/fair-slots.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import type { VisitorRequest } from '../visitor-request.ts';
import type { Visitor } from '../wire/wire.ts';

/** The transport of requests: the socket of an HTTP/1.1 connection, or an HTTP/2 session. */
export type Carrier = Socket | ServerHttp2Session;

/** A visitor's connection and its unfinished requests. */
export interface Connection {
  readonly carrier: Carrier;
  /** The socket of the connection, also for an HTTP/2 session. */
  readonly socket: Socket;
  readonly visitor: Visitor;
  readonly requests: Set<VisitorRequest>;
  /** True if the edge accepts no more requests on this connection. */
  refused: boolean;
  /** Called once the last request has ended. */
  onceIdle: (() => void) | null;
  /** When the connection became idle, as `performance.now()` in milliseconds; null while it has a request. */
  idleSince: number | null;
  /** True once GOAWAY was sent (RFC 9113 section 6.8). */
  dismissed: boolean;
  /** True once the connection has had a request. */
  used: boolean;
  /** The WebSocket handshake of the connection, once it has become a tunnel. */
  tunnel: VisitorRequest | null;
}

export type Connections = ReturnType<typeof createConnections>;

/**
 * Tracks visitors' connections and their unfinished requests. Limits the number of connections per address, and drops requests that make
 * too little progress.
 * @param onEnded called once for each request when it has ended. For a WebSocket, called when its connection has closed.
 */
export function createConnections(limits: ConnectionLimits, onEnded: OnEnded = () => undefined) {
  const sockets = new Set<Socket>();
  const networks = createVisitorNetworks();
  const watched = new Map<Carrier, Connection>();
  /** For each request, when the current window began, and how many bytes had been transferred by then. */
  const marks = new WeakMap<VisitorRequest, { at: number; moved: number }>();
  let inFlight = 0;
  const inFlightOf = new Map<string, number>();
  const mayStart = fractionOfFree(limits.requests_network_parts);
  const { progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms } = limits;
  const everyMs = Math.min(progress_window_ms, contested_window_ms, keep_alive_ms, headers_timeout_ms) / 4;
  const sweeper = setInterval(() => sweep(performance.now()), everyMs).unref();

  /**
   * Ends a request. A second call does nothing. Also called when the connection closes, because a pipelined response that waits for an
   * earlier response gets no event of its own.
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
   * timeout with one byte a minute. It applies only while the edge waits for the visitor. Other limits apply while the edge waits for an
   * origin.
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

  /** Ends an idle HTTP/2 session. Node closes idle HTTP/1.1 connections, but never an HTTP/2 session. */
  function endIdle(connection: Connection, carrier: ServerHttp2Session, now: number): void {
    const { used, socket } = connection;
    connection.idleSince ??= now;
    const isOver = carrier.closed || carrier.destroyed;
    if (now - connection.idleSince < (used && !isOver ? keep_alive_ms : headers_timeout_ms)) return;
    // Sends GOAWAY first, and destroys the socket some time later. After GOAWAY, the session waits for the visitor to close the connection.
    // A visitor that never does so would otherwise use up a connection and a descriptor forever.
    if (connection.dismissed || isOver) socket.destroy();
    else carrier.goaway();
    connection.dismissed = true;
  }

  /**
   * Destroys an HTTP/1.1 socket that has ended but does not close. If a visitor sends close_notify and resets the connection, Node never
   * completes the last write over TLS, so the socket would stay open forever. A tunnel has its own timeout.
   */
  function endEnded(connection: Connection, now: number): void {
    if (!connection.socket.writableEnded || connection.tunnel) return;
    connection.idleSince ??= now;
    if (now - connection.idleSince >= headers_timeout_ms) connection.socket.destroy();
  }

  return {
    /** Counts a TCP connection, and closes it immediately if its address has too many connections. */
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

    /** Starts to track an HTTP/1.1 connection or an HTTP/2 session. */
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

    /** Returns whether a network may have another unfinished request. Does not count tunnels. */
    hasRoom({ network }: Visitor): boolean {
      const free = limits.requestsInFlightMax - inFlight;
      return free > 0 && mayStart(inFlightOf.get(network) ?? 0, free, network);
    },

    /** Yields all unfinished requests and tunnels. */
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
     * @param andUnused whether to also close connections that have had no request yet. The first request may already be on its way, and the
     * visitor would not repeat it.
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
