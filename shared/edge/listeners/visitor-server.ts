import type { Server } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { clientAddresses, NO_HOPS, type TrustedHops } from '../../adapters/client-addresses.ts';
import { ownServer, type ReportConnectionError } from '../../adapters/owned-server.ts';
import type { RouteSource } from '../../core/edge/edge-route.ts';
import { networkOf, visitorAddress } from '../../core/edge/visitor-networks.ts';
import { type Ids, pause } from '../../ports/system.ts';
import type { EdgeLimits } from '../edge-limits.ts';
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
  /**
   * Finds the current route of a hostname. The server ends requests in progress if their hostname is now routed to another domain, or has
   * no route any more.
   */
  readonly findRoute: RouteSource;
  /**
   * Starts to handle a request.
   * @returns false if the request is malformed. No later request on the same connection can be trusted then.
   */
  serve(visitorRequest: VisitorRequest): boolean;
  /** Called once for each request, before its response starts. */
  seen(visitorRequest: VisitorRequest, status: number | null): void;
  /** Called once for each request when it has ended. For a WebSocket, called when its connection has closed. */
  ended(visitorRequest: VisitorRequest): void;
  close(): Promise<void>;
}

/** A server for visitors. */
export interface VisitorServer {
  /**
   * Starts to listen.
   * @param port 0 takes a free port.
   * @param options.exclusive false lets all workers of a cluster accept connections from one socket, which the primary process opens.
   */
  listen(port: number, host: string, options?: { exclusive?: boolean }): Promise<AddressInfo>;
  /** Takes over a connection that another server accepted. Use it instead of `listen`. */
  accept(socket: Socket): void;
  /**
   * Accepts no more connections and sends GOAWAY on open HTTP/2 sessions. Waits up to `graceMs` for unfinished requests, then ends them.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

export interface VisitorServerOptions {
  ids: Ids;
  limits: EdgeLimits;
  handler: VisitorHandler;
  /** Set if the server uses TLS. */
  hellos?: VisitorHellos | undefined;
  /**
   * Proxies and load balancers in front of this server that may report visitors' addresses. Without them, the address of a connection is
   * the visitor's.
   */
  hops?: TrustedHops | undefined;
  /** Called once for each error of a connection. */
  onConnectionError?: ReportConnectionError | undefined;
}

/** The parts of a server for visitors that `takeHttp1` and `takeHttp2` use. */
export interface Intake extends Pick<VisitorServerOptions, 'ids' | 'limits'> {
  connections: Connections;
  /** Starts a request that has arrived on a connection. */
  start(connection: Connection, wire: Wire): void;
  /** Returns the visitor at the other end of a connection. */
  visitorOf(socket: Socket | TLSSocket): Visitor;
}

/** Creates a VisitorRequest for each request of a server, over HTTP/1.1 or HTTP/2, and passes it to the handler. */
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

  /** Returns the visitor of one request. A connection of a trusted proxy may carry requests of several visitors. */
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
      // Node enforces its HTTP/1.1 timeouts only after the event `listening`.
      if (!accepting) server.emit('listening');
      accepting = true;
      server.emit('connection', socket);
    },
    async close({ graceMs = 0 } = {}) {
      owner.closing = true;
      await pause(Math.min(graceMs, LAST_RESPONSES_MS));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.destroyIdle(false);
      // Node does not treat a connection as idle if nothing was sent on it yet, so this closes such connections.
      const first = setTimeout(() => connections.destroyIdle(true), Math.min(graceMs, FIRST_REQUEST_MS));
      const timer = setTimeout(() => void connections.destroy(), graceMs);
      await closed;
      watch.stop();
      clearTimeout(first);
      clearTimeout(timer);
      // The server reports that it has closed before all sockets emit `close`, which ends their requests. So wait for the sockets too.
      await connections.destroy();
      await handler.close();
    },
  };
}

/**
 * How long a shutdown waits for busy connections to get a response with `Connection: close`, so that no request arrives on a closed
 * connection.
 */
const LAST_RESPONSES_MS = 1_000;
/** How long a shutdown waits for the first request on a new connection, which may be slow. */
const FIRST_REQUEST_MS = 5_000;

/**
 * Returns the requested hostname (SNI). For a resumed session of TLS 1.2, takes the hostname from the ClientHello, because OpenSSL does not
 * report it. The socket of an HTTP/2 session is a proxy whose properties can be read but not tested with `in`.
 */
function servernameOf(socket: Socket | TLSSocket, hellos: VisitorHellos): string {
  const { servername, getProtocol, isSessionReused } = socket as Partial<TLSSocket>;
  const forgotten = getProtocol?.call(socket) === 'TLSv1.2' && isSessionReused?.call(socket);
  return forgotten ? hellos.servernameOf(socket) : plainServername(servername || '');
}
