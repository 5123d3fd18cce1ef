import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Ids } from '../ports/random.ts';
import { type AnswerStatus, answerBytes, edgeAnswer } from './answers.ts';
import { Connections } from './connections.ts';
import { createEdgeHandler, type EdgeHandlerOptions } from './edge-handler.ts';
import { EDGE_LIMITS, type EdgeLimits } from './edge-limits.ts';
import { Exchange, type ExchangeOptions } from './exchange.ts';
import { isWebSocketUpgrade } from './request-head.ts';

export interface EdgeOptions extends Omit<EdgeHandlerOptions, 'limits'> {
  ids: Ids;
  limits?: Partial<EdgeLimits>;
  /** Given, the edge speaks TLS: certificates come by its SNICallback. */
  tls?: TlsServerOptions;
}

export interface Edge {
  /** @param port 0 takes a free one. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Takes no more connections, gives what is under way `grace_ms`, then ends it. */
  close(options?: { grace_ms?: number }): Promise<void>;
}

/** The edge over HTTP/1.1: visitors' requests go to the origin of the domain that their Host names (`decisions/0005`). */
export function createEdge(options: EdgeOptions): Edge {
  const limits = { ...EDGE_LIMITS, ...options.limits };
  const handler = createEdgeHandler({ ...options, limits });
  const connections = new Connections(limits);
  let closing = false;

  const server = listener(options.tls, {
    // Its refusal would be a page without X-Request-Id; request-head.ts refuses.
    requireHostHeader: false,
    maxHeaderSize: limits.header_bytes_max,
    headersTimeout: limits.headers_timeout_ms,
    // Bodies take as long as they take; Connections watches that they move.
    requestTimeout: 0,
    keepAliveTimeout: limits.keep_alive_ms,
    connectionsCheckingInterval: Math.min(1000, limits.headers_timeout_ms),
    shouldUpgradeCallback: (req) =>
      isWebSocketUpgrade({
        method: req.method ?? '',
        http_version: req.httpVersion,
        raw_headers: req.rawHeaders,
      }),
  });
  server.maxConnections = limits.connections_max;
  server.on('connection', (socket: Socket) => connections.admit(socket));
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => connections.watch(socket));

  type Extra = Pick<ExchangeOptions, 'upgrade_head' | 'expects_continue'>;
  function onRequest(req: IncomingMessage, res: ServerResponse, extra: Extra = {}): void {
    const exchange = new Exchange({
      ...extra,
      req,
      res,
      request_id: options.ids('req'),
      discarded_bytes_max: limits.discarded_bytes_max,
      closing: () => closing,
      on_status: (status) => handler.seen(exchange, status),
    });
    if (!connections.start(exchange)) return;
    if (!handler.serve(exchange)) connections.refuse(exchange.socket);
  }

  function onUpgrade(req: IncomingMessage, head: Buffer): void {
    const { socket } = req;
    // Node has let go of this connection: an error on it is nobody's but ours, and close follows it.
    socket.on('error', () => undefined);
    const res = new ServerResponse(req);
    res.assignSocket(socket);
    socket.on('drain', () => res.emit('drain'));
    res.once('finish', () => socket.destroySoon());
    onRequest(req, res, { upgrade_head: head });
  }

  server.on('request', (req, res) => onRequest(req, res));
  server.on('checkContinue', (req, res) => onRequest(req, res, { expects_continue: true }));
  // Any other expectation is dropped, as Expect is.
  server.on('checkExpectation', (req, res) => onRequest(req, res));
  server.on('upgrade', (req, _socket, head) => onUpgrade(req, head));
  server.on('connect', (req) => refuse(req.socket, 400));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const exchanges = connections.exchangesOf(socket);
    const [first] = exchanges;
    if (exchanges.length === 1 && first?.waiting) first.fail(400);
    // The bytes that cannot be read came after an answer that is still on its way, or after a refusal.
    else if (exchanges.some((exchange) => !exchange.over)) socket.destroy();
    else if (exchanges.length > 0 || connections.isRefused(socket)) socket.destroySoon();
    else refuse(socket, PARSER_ERRORS[error.code ?? ''] ?? 400);
  });

  /** Answers on a connection that Node's parser has given up. */
  function refuse(socket: Socket, status: AnswerStatus): void {
    connections.refuse(socket);
    if (socket.writable) socket.write(answerBytes(edgeAnswer(status, options.ids('req'))));
    socket.destroySoon();
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      }),
    async close({ grace_ms = 0 } = {}) {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Node's own idea of idle leaves out those that have not sent anything yet.
      connections.destroyIdle();
      const timer = setTimeout(() => connections.destroy(), grace_ms);
      await closed;
      clearTimeout(timer);
      connections.destroy();
      await handler.close();
    },
  };
}

const PARSER_ERRORS: Readonly<Record<string, AnswerStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_METHOD: 501,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function listener(tls: TlsServerOptions | undefined, options: ServerOptions): Server {
  return tls ? createTlsServer({ ...tls, ...options }) : createServer(options);
}
