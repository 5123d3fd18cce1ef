import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type {
  Http2SecureServer,
  IncomingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { clientAddresses, NO_HOPS, type TrustedHops } from '../../adapters/client-addresses.ts';
import { isTooLate, ownServer, type ReportConnectionError } from '../../adapters/owned-server.ts';
import { visitorAddress } from '../../core/edge/visitor-address.ts';
import { networkOf } from '../../core/edge/visitor-networks.ts';
import { pause } from '../../ports/pause.ts';
import type { Ids } from '../../ports/random.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import { type EdgeResponseStatus, edgeResponse, responseBytes } from '../edge-responses.ts';
import type { RouteSource } from '../routing/route.ts';
import { watchRoutes } from '../routing/route-watch.ts';
import { plainServername } from '../tls/client-hello.ts';
import type { VisitorHellos } from '../tls/visitor-hellos.ts';
import { VisitorRequest } from '../visitor-request.ts';
import { type Http1Request, Http1Wire } from '../wire/http1-wire.ts';
import { Http2Wire, whenEndKnown } from '../wire/http2-wire.ts';
import { headerValues } from '../wire/raw-headers.ts';
import { isWebSocketUpgrade } from '../wire/request-head.ts';
import type { Visitor, Wire } from '../wire/wire.ts';
import { type Connection, Connections } from './connections.ts';

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

/** Turns each request of a server, over HTTP/1.1 or HTTP/2, into a VisitorRequest and passes it to the handler. */
export function serveVisitors(
  server: Server | Http2SecureServer,
  { ids, limits, handler, hellos, hops = NO_HOPS, onConnectionError }: VisitorServerOptions,
): VisitorServer {
  const connections = new Connections(limits, handler.ended);
  const addresses = clientAddresses(hops);
  const watch = watchRoutes({
    underWay: () => connections.underWay(),
    findRoute: handler.findRoute,
    everyMs: limits.route_check_ms,
  });
  const owner = { closing: false, seen: handler.seen };
  let accepting = false;
  /** The newest request of each connection. */
  const newest = new WeakMap<Socket, IncomingMessage>();
  /** Requests whose upgrade is ignored. */
  const passedOver = new WeakSet<IncomingMessage>();

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

  function onHttp1(request: Omit<Http1Request, 'maxDiscardedBytes' | 'last'>): void {
    const { socket } = request.req;
    const connection = connections.of(socket);
    if (!connection || connection.refused || isTooLate(request.req)) return;
    newest.set(socket, request.req);
    const last = passedOver.has(request.req);
    const { maxDiscardedBytes } = limits;
    if (connection.requests.size >= limits.pipelined_max) socket.destroy();
    else start(connection, new Http1Wire({ ...request, last, maxDiscardedBytes }));
    if (last) connection.refused = true;
  }

  /**
   * Decides once for each request whether to take its upgrade. Node hands over the socket at once. So a handshake that follows an
   * unfinished request cannot wait for its turn, and is ignored. When an upgrade is ignored, Node's parser drops the bytes that follow in
   * the same packet. So its response is the last one on the connection.
   */
  function shouldUpgrade(req: IncomingMessage): boolean {
    const { method = '', httpVersion, rawHeaders } = req;
    const connection = connections.of(req.socket);
    const isFree = connection?.requests.size === 0 && !connection.refused && !isTooLate(req);
    if (isFree && isWebSocketUpgrade({ method, httpVersion, rawHeaders })) return true;
    passedOver.add(req);
    return false;
  }

  /** Starts a stream once the packets that are there are read, so that one they reset costs no request (CVE-2023-44487). */
  function onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, raw: string[]): void {
    const begin = (endsHere: boolean) => {
      const connection = stream.session ? connections.of(stream.session as ServerHttp2Session) : undefined;
      if (connection && !stream.destroyed && !stream.aborted)
        start(connection, new Http2Wire(stream, raw, endsHere));
    };
    setImmediate(() => whenEndKnown(stream, headers, begin));
  }

  function onUpgrade(req: IncomingMessage, upgradeHead: Buffer): void {
    const { socket } = req;
    const res = new ServerResponse(req);
    res.assignSocket(socket);
    socket.on('drain', () => res.emit('drain'));
    res.once('finish', () => socket.destroySoon());
    onHttp1({ req, res, upgradeHead });
  }

  function onClientError(error: ClientError, socket: Socket): void {
    freePacket(error);
    const connection = connections.of(socket);
    const last = [...(connection?.requests ?? [])].at(-1);
    // The visitor has left, which the system reports and not the parser; or the TLS handshake has failed.
    if (error.syscall !== undefined || !connection) socket.destroy();
    // The head could be parsed, so the body is malformed.
    else if (last?.waiting && newest.get(socket)?.complete === false) {
      connection.refused = true;
      last.fail(400);
    } else refuse(socket, connection, PARSER_ERRORS[error.code ?? ''] ?? 400);
  }

  /** Ends a connection that Node's parser no longer reads, after the responses to the requests before. */
  function refuse(socket: Socket, connection: Connection, status: EdgeResponseStatus): void {
    const isAnswered = connection.refused;
    const isCut = newest.get(socket)?.complete === false;
    const respond = () => {
      if (!isAnswered && !isCut && socket.writable)
        socket.write(responseBytes(edgeResponse(status, ids('req'))));
      // If a visitor keeps writing, Node reports each further packet. The socket must not get a new listener each time.
      if (!socket.writableEnded || socket.writableFinished) socket.destroySoon();
    };
    connection.refused = true;
    const isUnderWay = [...connection.requests].some((visitorRequest) => !visitorRequest.finished);
    if (!isUnderWay) respond();
    else if (isCut) socket.destroy();
    else connection.onceIdle ??= respond;
  }

  /** Ends a connection whose visitor asks for a tunnel. Node has released it, so it cannot carry the responses to earlier requests. */
  function refuseTunnel(socket: Socket): void {
    const connection = connections.of(socket);
    if (connection?.requests.size === 0) refuse(socket, connection, 400);
    else socket.destroy();
  }

  function onSession(session: ServerHttp2Session): void {
    session.setLocalWindowSize(limits.stream_window_bytes * 4);
    // The session's socket is a proxy that refuses `destroy`. Its other methods return the socket itself.
    const socket = session.socket.off('close', onSession);
    connections.watch(session, visitorOf(session.socket), socket);
  }

  // The servers of both protocols emit the events of HTTP/1.1.
  const events = server as Server;
  events.on('request', (req, res) => onHttp1({ req, res }));
  events.on('checkContinue', (req, res) => onHttp1({ req, res, expectsContinue: true }));
  // An expectation other than 100-continue is ignored.
  events.on('checkExpectation', (req, res) => onHttp1({ req, res }));
  events.on('upgrade', (req, _socket, head) => onUpgrade(req, head));
  events.on('connect', (req) => refuseTunnel(req.socket));
  events.on('clientError', onClientError);
  events.on('connection', (socket) => {
    const address = addresses.of(socket);
    connections.admit(socket, address, hops.proxies.has(address));
  });
  if ('setTicketKeys' in server) {
    server.on('session', onSession);
    server.on('stream', onStream);
    server.on('secureConnection', (socket) => {
      if (socket.alpnProtocol !== 'h2') connections.watch(socket, visitorOf(socket), socket);
    });
  } else {
    server.on('connection', (socket) => connections.watch(socket, visitorOf(socket), socket));
  }
  server.maxConnections = limits.connectionsMax;
  Object.assign(server, { shouldUpgradeCallback: shouldUpgrade });
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

const PARSER_ERRORS: Readonly<Record<string, EdgeResponseStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_METHOD: 501,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface ClientError extends NodeJS.ErrnoException {
  /** The packet that Node's parser refused, usually a copy. */
  rawPacket?: Buffer;
}

/**
 * Frees the packet that Node's parser refused. After a parser error, Node copies each further packet, and V8 collects the whole heap for
 * every 8 MB of copies, which pauses all visitors. Does not free a packet that shares its buffer with other data.
 */
function freePacket({ rawPacket }: ClientError): void {
  if (rawPacket?.buffer instanceof ArrayBuffer && rawPacket.byteLength === rawPacket.buffer.byteLength)
    rawPacket.buffer.transfer(0);
}

/**
 * Returns the requested hostname (SNI). OpenSSL does not report it for a resumed session of TLS 1.2. The socket of an HTTP/2 session is a
 * proxy, so its properties can be read but not tested with `in`.
 */
function servernameOf(socket: Socket | TLSSocket, hellos: VisitorHellos): string {
  const { servername, getProtocol, isSessionReused } = socket as Partial<TLSSocket>;
  const forgotten = getProtocol?.call(socket) === 'TLSv1.2' && isSessionReused?.call(socket);
  return forgotten ? hellos.servernameOf(socket) : plainServername(servername || '');
}
