import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Server as TcpServer } from 'node:net';
import type { Log } from './log.ts';

/**
 * Hears every error of what a server accepts, from the first byte of a connection to the last (`decisions/0018`). Node takes its own
 * listeners off a socket when it hands the socket over (`upgrade`, `connect`, `clientError`), and an error that nothing hears ends
 * the process. Every server of the product passes through here before it listens.
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
  // First of all listeners, since any of them may write. A request needs no owner: Node tells its error only to those who listen.
  const events = server as TcpServer;
  for (const event of ['connection', 'secureConnection', 'session', 'stream'])
    events.prependListener(event, own);
  for (const event of REQUEST_EVENTS) events.prependListener(event, ownResponse);
  // An error before that is the caller's: the address is taken. One after it is a connection that could not be accepted.
  events.once('listening', () => own(events));
  return server;
}

/** Called once for each error, however many parts of a connection it passes through. */
export type ReportConnectionError = (failure: ConnectionError) => void;

export interface ConnectionError {
  /** `peer`: the other side left, or broke the protocol. `node`: the node did, or could not accept. */
  kind: 'peer' | 'node';
  error: Error;
}

/** Logs the errors that are the node's own. Those of the other side are no news. */
export function logOwnErrors(log: Log): ReportConnectionError {
  return ({ kind, error }) => {
    if (kind === 'node') log.error({ error }, 'a connection was ended by an error of the server');
  };
}

/**
 * Creates an HTTP server that has owners for its connections, and leaves `serve` only the requests that can still be answered.
 * It upgrades no connection.
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
    // Node's parser drops the bytes that follow such a request in the same packet, so no request can follow it.
    if (passedOver.has(req)) res.setHeader('Connection', 'close');
    serve(req, res);
  };
  // RFC 9110, section 10.1.1 lets a server drop an expectation that it does not know.
  server.on('request', take).on('checkExpectation', take);
  return ownServer(server, report);
}

/**
 * Whether the response that was the last of the connection has left. Node goes on to read requests until the socket is closed, and ends
 * the process when it has responded to one of them while others still wait.
 */
export function isTooLate({ socket }: IncomingMessage): boolean {
  return !socket.writable;
}

interface Part {
  on(event: 'error', hear: (error: Error) => void): unknown;
}

const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'];

/** An error travels from a socket to its TLS socket, its session and their streams. */
const reported = new WeakSet<Error>();

/** Codes of the operating system, of OpenSSL, of the parsers of HTTP/1.1 and HTTP/2, and of Node's deadlines. */
const PEER =
  /^(?:E(?!RR_)|HPE_|ERR_SSL_|ERR_TLS_|ERR_HTTP_REQUEST_TIMEOUT$|ERR_HTTP2_(?:ERROR|STREAM_|SESSION_|TOO_MANY_))/;

function kindOf(error: NodeJS.ErrnoException): ConnectionError['kind'] {
  return PEER.test(error.code ?? '') && error.syscall !== 'accept' ? 'peer' : 'node';
}
