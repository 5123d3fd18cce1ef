import type { Server } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { clientAddresses, NO_HOPS, type TrustedHops } from '../../adapters/client-addresses.ts';
import { ownServer, type ReportConnectionError } from '../../adapters/owned-server.ts';
import { networkOf, visitorAddress } from '../../core/edge/visitor-networks.ts';
import { type Ids, pause } from '../../ports/system.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import type { RouteSource } from '../routing/route.ts';
import { watchRoutes } from '../routing/route-watch.ts';
import { plainServername } from '../tls/client-hello.ts';
import type { VisitorHellos } from '../tls/visitor-hellos.ts';
import { VisitorRequest } from '../visitor-request.ts';
import { headerValues } from '../wire/raw-headers.ts';
import type { Visitor, Wire } from '../wire/wire.ts';
import { type Connection, type Connections, createConnections } from './connections.ts';
import { takeHttp1 } from './http1-intake.ts';
import { takeHttp2 } from './http2-intake.ts';

/** Handles visitors' requests. */
export interface VisitorHandler {
  /** Finds the current route of a hostname. Requests in progress end when their hostname leads to another domain or nowhere. */
  readonly findRoute: RouteSource;
  /**
   * Starts to handle a request.
   * @returns false if the request cannot be trusted, so that nothing after it on its connection can be trusted either.
   */
  serve(visitorRequest: VisitorRequest): boolean;
  /** Called once for each request, before its response starts. */
  seen(visitorRequest: VisitorRequest, status: number | null): void;
  /** Called once for each request when it has ended, and for a WebSocket when its connection has. */
  ended(visitorRequest: VisitorRequest): void;
  close(): Promise<void>;
}

/** A server for visitors. */
export interface VisitorServer {
  /**
   * Starts to listen.
   * @param port 0 takes a free one.
   * @param options.exclusive false lets all workers of a cluster accept from one socket, which the primary opens.
   */
  listen(port: number, host: string, options?: { exclusive?: boolean }): Promise<AddressInfo>;
  /** Takes over a connection that another server accepted. Use it instead of `listen`. */
  accept(socket: Socket): void;
  /** Accepts no more connections and sends GOAWAY on those that exist. Gives unfinished requests `graceMs`, then ends them. */
  close(options?: { graceMs?: number }): Promise<void>;
}

export interface VisitorServerOptions {
  ids: Ids;
  limits: EdgeLimits;
  handler: VisitorHandler;
  /** Set if the server speaks TLS. */
  hellos?: VisitorHellos | undefined;
  /** Proxies and load balancers in front of this server that may report visitors' addresses. Without any, each connection is a visitor. */
  hops?: TrustedHops | undefined;
  /** Called once for each error of a connection. */
  onConnectionError?: ReportConnectionError | undefined;
}

/** The parts of a server for visitors that the readers of both protocols use. */
export interface Intake extends Pick<VisitorServerOptions, 'ids' | 'limits'> {
  connections: Connections;
  /** Starts a request of a connection. */
  start(connection: Connection, wire: Wire): void;
  /** Returns the visitor at the other end of a connection. */
  visitorOf(socket: Socket | TLSSocket): Visitor;
}

/** Turns each request of a server, over HTTP/1.1 or HTTP/2, into a VisitorRequest and passes it to the handler. */
export function serveVisitors(
  server: Server | Http2SecureServer,
  { ids, limits, handler, hellos, hops = NO_HOPS, onConnectionError }: VisitorServerOptions,
): VisitorServer {
  const connections = createConnections(limits, handler.ended);
  const addresses = clientAddresses(hops);
  const watch = watchRoutes({
    underWay: () => connections.underWay(),
    findRoute: handler.findRoute,
    everyMs: limits.route_check_ms,
  });
  const owner = { closing: false, seen: handler.seen };
  let accepting = false;

  function start(connection: Connection, wire: Wire): void {
    const visitor = visitorBehind(connection.visitor, wire.head.rawHeaders);
    const visitorRequest = new VisitorRequest(wire, visitor, ids('req'), owner);
    const hasRoom = connections.hasRoom(visitor);
    connections.start(connection, visitorRequest);
    if (!hasRoom) visitorRequest.fail(503);
    else if (!handler.serve(visitorRequest) && wire.head.protocol === 'h1') connection.refused = true;
  }

  function visitorOf(socket: Socket | TLSSocket): Visitor {
    const address = addresses.of(socket);
    return {
      address,
      network: networkOf(address),
      servername: hellos ? servernameOf(socket, hellos) : null,
      isRelayed: false,
    };
  }

  /** Returns the visitor of one request. Requests of several visitors may share the connection of a trusted proxy. */
  function visitorBehind(peer: Visitor, rawHeaders: readonly string[]): Visitor {
    if (!hops.proxies.has(peer.address)) return peer;
    const address = visitorAddress(peer.address, headerValues(rawHeaders, 'x-forwarded-for'), hops.proxies);
    return { ...peer, address, network: networkOf(address), isRelayed: true };
  }

  const intake = { connections, limits, ids, start, visitorOf };
  const events = server as Server;
  events.on('connection', (socket) => {
    const address = addresses.of(socket);
    connections.admit(socket, address, hops.proxies.has(address));
  });
  takeHttp1(events, intake);
  if ('setTicketKeys' in server) {
    takeHttp2(server, intake);
    server.on('secureConnection', (socket) => {
      if (socket.alpnProtocol !== 'h2') connections.watch(socket, visitorOf(socket), socket);
    });
  } else {
    server.on('connection', (socket) => connections.watch(socket, visitorOf(socket), socket));
  }
  server.maxConnections = limits.connectionsMax;
  ownServer(server, onConnectionError);
  addresses.readHeaders(server);

  return {
    listen: (port, host, { exclusive = true } = {}) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, exclusive, backlog: 4096 }, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    accept(socket) {
      // Node starts to enforce its HTTP/1.1 timeouts on `listening`.
      if (!accepting) server.emit('listening');
      accepting = true;
      server.emit('connection', socket);
    },
    async close({ graceMs = 0 } = {}) {
      owner.closing = true;
      await pause(Math.min(graceMs, LAST_RESPONSES_MS));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.destroyIdle(false);
      // Node does not count a connection as idle if it has not sent anything yet.
      const first = setTimeout(() => connections.destroyIdle(true), Math.min(graceMs, FIRST_REQUEST_MS));
      const timer = setTimeout(() => void connections.destroy(), graceMs);
      await closed;
      watch.stop();
      clearTimeout(first);
      clearTimeout(timer);
      // The server counts a socket as closed before the socket says so, which ends its requests.
      await connections.destroy();
      await handler.close();
    },
  };
}

/** Time for each busy connection to get a response that ends the connection, so that no request meets a closed connection. */
const LAST_RESPONSES_MS = 1_000;
/** Time from the handshake to a visitor's first request on a slow line. */
const FIRST_REQUEST_MS = 5_000;

/**
 * Returns the requested hostname (SNI). OpenSSL does not report it for a resumed session of TLS 1.2. The socket of an HTTP/2 session is a
 * proxy, so its properties can be read but not tested with `in`.
 */
function servernameOf(socket: Socket | TLSSocket, hellos: VisitorHellos): string {
  const { servername, getProtocol, isSessionReused } = socket as Partial<TLSSocket>;
  const forgotten = getProtocol?.call(socket) === 'TLSv1.2' && isSessionReused?.call(socket);
  return forgotten ? hellos.servernameOf(socket) : plainServername(servername || '');
}
