import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { createHttpServer, type ReportConnectionError } from '../adapters/owned-server.ts';
import { ServiceError } from '../core/errors.ts';
import type { Context } from '../operations/context.ts';
import { envelope, toServiceError } from './envelope.ts';

export interface Served {
  context: Pick<Context, 'settings' | 'ids' | 'log'>;
  /** Handles a request. If this throws or rejects, the server responds with `internal_error`. */
  listener(...request: Parameters<RequestListener>): unknown;
}

/** Limits for connections to the API, which are tighter than Node's defaults. */
export const API_LIMITS = {
  connectionsMax: 5_000,
  /** Maximum time for a request's headers, from the start of the connection or from the previous request. */
  headers_timeout_ms: 10_000,
  /** Maximum time for a request's body. A client that sends a body slowly would otherwise take up the capacity of a request. */
  request_timeout_ms: 30_000,
  /**
   * Time after which a connection without a request is closed. It is longer than the 60 s of common load balancers. If we closed first, a
   * request that a balancer sends at that moment would be lost.
   */
  keep_alive_ms: 75_000,
  /** Time without a byte in either direction after which a connection is closed. 0 means no limit, so that a response may take any time. */
  idleMs: 0,
};

export interface ApiServerOptions {
  limits?: Partial<typeof API_LIMITS>;
  /** Called for each connection that was closed immediately because too many were open. */
  onDropped?: () => void;
  /** Called once for each error of a connection. */
  onConnectionError?: ReportConnectionError;
}

/**
 * Creates the HTTP server of the API. If a request is not valid HTTP, this server responds with the envelope of `docs/api.md#errors`, and
 * not with Node's empty body.
 * @param served the handler of requests. Requests that arrive before the promise resolves wait. The promise must not reject.
 */
export function createApiServer(served: Served | Promise<Served>, options: ApiServerOptions = {}): Server {
  const limits = { ...API_LIMITS, ...options.limits };
  const server = createHttpServer(
    {
      // Node.js would send a refusal of its own. `onRequest` refuses a request without `Host` with our envelope.
      requireHostHeader: false,
      headersTimeout: limits.headers_timeout_ms,
      requestTimeout: limits.request_timeout_ms,
      keepAliveTimeout: limits.keep_alive_ms,
      connectionsCheckingInterval: Math.min(1000, limits.headers_timeout_ms),
    },
    onRequest,
    options.onConnectionError,
  );
  server.maxConnections = limits.connectionsMax;
  server.setTimeout(limits.idleMs);
  /** The unfinished responses of each connection. */
  const responses = new WeakMap<Socket, Set<ServerResponse>>();
  const refused = new WeakSet<Socket>();

  async function onRequest(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const open = responses.get(req.socket) ?? new Set();
    responses.set(req.socket, open.add(res));
    res.setHeader('x-content-type-options', 'nosniff');
    res.once('close', () => open.delete(res));
    const { context, listener } = await served;
    // HTTP/1.1 requires a `Host` header (RFC 9112 section 3.2).
    if (req.headers.host === undefined && req.httpVersion !== '1.0') {
      return respond(res, errorResponse(context, notWellFormed('The Host header is missing.')));
    }
    try {
      await listener(req, res);
    } catch (error) {
      context.log.error({ error }, 'a request got no response');
      if (res.headersSent) res.destroy();
      else respond(res, errorResponse(context, toServiceError(error)));
    }
  }

  /** Refuses a request that Node's parser cannot read. Ends the connection once the responses to earlier requests are sent. */
  async function refuse(socket: Socket, message: string): Promise<void> {
    // If the client keeps writing, Node.js reports an error for each further packet.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { context } = await served;
    const open = [...(responses.get(socket) ?? [])];
    const whole = open.filter(({ req, closed }) => req.complete && !closed);
    await Promise.all(whole.map((res) => new Promise((resolve) => res.once('close', resolve))));
    // If another response has begun, the refusal would become part of its body.
    if (!socket.writable || open.some((res) => res.headersSent && !res.writableFinished)) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = errorResponse(context, notWellFormed(message));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    socket.destroySoon();
  }

  server.on('drop', () => options.onDropped?.());
  server.on('connect', ({ socket }) => {
    const open = responses.get(socket) ?? new Set();
    if (open.size === 0) return refuse(socket, 'This server is not a proxy.');
    // A response is not possible here, because the client would take it for the response to an earlier request.
    socket.destroy();
    // Node.js has released the socket, so the pending responses would get no event when the socket closes.
    for (const res of open) res.destroy(new Error('the connection is closed'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuse(socket, PARSER_ERRORS[error.code ?? ''] ?? 'The request is not well-formed HTTP.'),
  );
  return server;
}

const PARSER_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request headers are larger than 16 KB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

function notWellFormed(message: string): ServiceError {
  return new ServiceError('invalid_request', {
    message,
    fix: 'Send a well-formed HTTP/1.1 request with one Host header.',
  });
}

function respond(res: ServerResponse, { status, headers, body }: ReturnType<typeof errorResponse>): void {
  res.writeHead(status, headers).end(body);
}

function errorResponse({ settings, ids }: Served['context'], error: ServiceError) {
  const requestId = ids('req');
  const body = JSON.stringify(envelope(error, settings, requestId));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { status: error.status, headers, body };
}
