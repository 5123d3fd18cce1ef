import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isTooLate } from '../../adapters/owned-server.ts';
import { type EdgeResponseStatus, edgeResponse, responseBytes } from '../edge-responses.ts';
import { type Http1Request, Http1Wire } from '../wire/http1-wire.ts';
import { isWebSocketUpgrade } from '../wire/request-head.ts';
import type { Connection } from './connections.ts';
import type { Intake } from './visitor-server.ts';

/**
 * Starts the requests that a server receives over HTTP/1.1, and ends connections that Node cannot parse. Also used by servers that support
 * HTTP/2 too.
 */
export function takeHttp1(server: Server, { connections, limits, ids, start }: Intake): void {
  /** The newest request of each connection. */
  const newest = new WeakMap<Socket, IncomingMessage>();
  /** Requests whose `Upgrade` header is ignored. */
  const passedOver = new WeakSet<IncomingMessage>();

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
   * Decides for each request whether to accept its upgrade. Ignores an upgrade while an earlier request is unfinished, because Node
   * releases the socket as soon as an upgrade is accepted. After an ignored upgrade, Node's parser drops the bytes that follow in the same
   * packet. The response is therefore the last one on the connection.
   */
  function shouldUpgrade(req: IncomingMessage): boolean {
    const { method = '', httpVersion, rawHeaders } = req;
    const connection = connections.of(req.socket);
    const isFree = connection?.requests.size === 0 && !connection.refused && !isTooLate(req);
    if (isFree && isWebSocketUpgrade({ method, httpVersion, rawHeaders })) return true;
    passedOver.add(req);
    return false;
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
    // The error does not come from the parser: the visitor has left, or the TLS handshake has failed.
    if (error.syscall !== undefined || !connection) socket.destroy();
    // The head could be parsed, so the body is malformed.
    else if (last?.waiting && newest.get(socket)?.complete === false) {
      connection.refused = true;
      last.fail(400);
    } else refuse(socket, connection, PARSER_ERRORS[error.code ?? ''] ?? 400);
  }

  /** Ends a connection that Node's parser no longer reads, once the responses to earlier requests are sent. */
  function refuse(socket: Socket, connection: Connection, status: EdgeResponseStatus): void {
    const isAnswered = connection.refused;
    const isCut = newest.get(socket)?.complete === false;
    const respond = () => {
      if (!isAnswered && !isCut && socket.writable)
        socket.write(responseBytes(edgeResponse(status, ids('req'))));
      // If the visitor keeps sending, Node reports an error for each packet. `destroySoon` must not add another listener each time.
      if (!socket.writableEnded || socket.writableFinished) socket.destroySoon();
    };
    connection.refused = true;
    const isUnderWay = [...connection.requests].some((visitorRequest) => !visitorRequest.finished);
    if (!isUnderWay) respond();
    else if (isCut) socket.destroy();
    else connection.onceIdle ??= respond;
  }

  /** Ends a connection whose visitor sends CONNECT. Node has released the socket, so the responses to earlier requests cannot be sent. */
  function refuseTunnel(socket: Socket): void {
    const connection = connections.of(socket);
    if (connection?.requests.size === 0) refuse(socket, connection, 400);
    else socket.destroy();
  }

  server.on('request', (req, res) => onHttp1({ req, res }));
  server.on('checkContinue', (req, res) => onHttp1({ req, res, expectsContinue: true }));
  // Ignores any expectation other than 100-continue.
  server.on('checkExpectation', (req, res) => onHttp1({ req, res }));
  server.on('upgrade', (req, _socket, head) => onUpgrade(req, head));
  server.on('connect', (req) => refuseTunnel(req.socket));
  server.on('clientError', onClientError);
  Object.assign(server, { shouldUpgradeCallback: shouldUpgrade });
}

const PARSER_ERRORS: Readonly<Record<string, EdgeResponseStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_METHOD: 501,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

interface ClientError extends NodeJS.ErrnoException {
  /** The packet that Node's parser refused, usually as a copy. */
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
