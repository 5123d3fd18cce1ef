import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket, Server as TcpServer } from 'node:net';
import { splitTarget } from '../core/edge/request-target.ts';
import type { Log } from '../ports/system.ts';

/**
 * Adds an error listener to everything that a server accepts, from the first byte of a connection to the last (`decisions/0018`). Node.js
 * removes its own listeners from a socket before the events `upgrade`, `connect` and `clientError`, and an error without a listener ends
 * the process. Every server of the product is passed to this function before it listens.
 * @returns the same server.
 */
export function ownServer<S extends TcpServer | Http2SecureServer>(
  server: S,
  report?: ReportConnectionError,
): S {
  const hear = (error: Error) => {
    if (reported.has(error)) return;
    reported.add(error);
    report?.({ kind: kindOf(error), error });
  };
  const own = (part: Part) => void part.on('error', hear);
  const ownResponse = (_req: IncomingMessage, res: ServerResponse) => own(res);
  // These listeners come before all others, because any other listener may write. Requests need none, because Node.js emits their errors
  // only if there is a listener.
  const events = server as TcpServer;
  for (const event of ['connection', 'secureConnection', 'session', 'stream'])
    events.prependListener(event, own);
  for (const event of REQUEST_EVENTS) events.prependListener(event, ownResponse);
  // Before `listening`, an error such as an address in use goes to the caller of `listen`. After it, an error means that a connection could
  // not be accepted.
  events.once('listening', () => own(events));
  return server;
}

/** Called once for each error, even if it passes through several parts of a connection. */
export type ReportConnectionError = (failure: ConnectionError) => void;

export interface ConnectionError {
  /** `peer`: the peer left or broke the protocol. `node`: our own node failed, or could not accept the connection. */
  kind: 'peer' | 'node';
  error: Error;
}

/** Logs errors that our own node caused. Errors of the peer are normal. */
export function logOwnErrors(log: Log): ReportConnectionError {
  return ({ kind, error }) => {
    if (kind === 'node') log.error({ error }, 'an error of the server ended a connection');
  };
}

/**
 * Creates an HTTP server whose connections have error listeners. Calls `serve` only for requests that can still get a response, and
 * upgrades no connection.
 */
export function createHttpServer(
  options: Omit<ServerOptions, 'shouldUpgradeCallback'>,
  serve: RequestListener,
  report?: ReportConnectionError,
): Server {
  const passedOver = new WeakSet<IncomingMessage>();
  const server = createServer({
    ...options,
    shouldUpgradeCallback(req) {
      passedOver.add(req);
      return false;
    },
  });
  const take: RequestListener = (req, res) => {
    if (isTooLate(req)) return;
    // If the target is a whole URL, its authority replaces the `Host` header (RFC 9112 section 3.2.2).
    const { authority, pathAndQuery } = splitTarget(req.url ?? '');
    if (authority !== null)
      Object.assign(req, { url: pathAndQuery, headers: { ...req.headers, host: authority } });
    // After a request for an upgrade, Node's parser drops the remaining bytes of the packet, so the connection cannot carry another
    // request.
    if (passedOver.has(req)) res.setHeader('Connection', 'close');
    serve(req, res);
  };
  server.on('request', take);
  // Node.js itself writes the interim response only if there is no listener for this event.
  server.on('checkContinue', (req, res) => {
    if (!isTooLate(req)) res.writeContinue();
    take(req, res);
  });
  // A server may ignore an expectation that it does not know (RFC 9110 section 10.1.1).
  server.on('checkExpectation', take);
  return ownServer(server, report);
}

/**
 * Returns whether a request came after the connection's last response was sent. Node.js reads further requests until the socket closes, but
 * a response to one of them could end the process.
 */
export function isTooLate({ socket }: IncomingMessage): boolean {
  return !socket.writable;
}

interface Part {
  on(event: 'error', hear: (error: Error) => void): unknown;
}

/** The events with which Node.js emits a request and its response. The `Expect` header of the request decides the event. */
export const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const;

/** Errors that have been reported, because one error is emitted by a socket, its TLS socket, its session and their streams. */
const reported = new WeakSet<Error>();

/**
 * Error codes for which the peer is to blame: those of the operating system, of OpenSSL, of the HTTP/1.1 and HTTP/2 parsers, and of Node's
 * timeouts.
 */
const PEER =
  /^(?:E(?!RR_)|HPE_|ERR_SSL_|ERR_TLS_|ERR_HTTP_REQUEST_TIMEOUT$|ERR_HTTP2_(?:ERROR|STREAM_|SESSION_|TOO_MANY_))/;

function kindOf(error: NodeJS.ErrnoException): ConnectionError['kind'] {
  return PEER.test(error.code ?? '') && error.syscall !== 'accept' ? 'peer' : 'node';
}

/** The start of a `100 Continue`. */
const BEGUN = /^HTTP\/1\.[01] 100/;
const START_CHARS = 'HTTP/1.1 100'.length;
const WHOLE = /^(?:HTTP\/1\.[01] 100[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)+/;

/**
 * Removes each `100 Continue` at the start of a response from the bytes that a socket reads. Some servers send it without being asked. A
 * client may ignore it (RFC 9110 section 15.2), but undici would break off the connection.
 * @returns a function to call before each request.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let isAtStart = true;
  let held = '';
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null || !isAtStart) return chunk;
    isAtStart = held !== '' || BEGUN.test(chunk.toString('latin1', 0, START_CHARS));
    if (!isAtStart) return chunk;
    const rest = (held + chunk.toString('latin1')).replace(WHOLE, '');
    isAtStart = rest.length < START_CHARS || BEGUN.test(rest);
    held = isAtStart ? rest : '';
    return isAtStart ? null : Buffer.from(rest, 'latin1');
  };
  return () => {
    isAtStart = true;
    held = '';
  };
}
