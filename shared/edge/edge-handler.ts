import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { Instant } from '../core/instant.ts';
import type { ServiceNames } from '../core/service-name.ts';
import type { Clock } from '../ports/clock.ts';
import { redirectAnswer } from './answers.ts';
import type { EdgeLimits } from './edge-limits.ts';
import type { Exchange } from './exchange.ts';
import { forward } from './forward.ts';
import { type OriginPool, OriginPools } from './origin-pools.ts';
import { headerPairs } from './raw-headers.ts';
import { type ReadRequest, readRequestHead } from './request-head.ts';
import { forwardedHeaders } from './request-headers.ts';
import { authorityOf } from './request-host.ts';
import type { EdgeRoute, FindRoute } from './route.ts';

export interface EdgeHandlerOptions {
  find_route: FindRoute;
  names: ServiceNames;
  /** Real time: origins hold the timestamp against theirs. */
  wall_clock: Clock;
  /** How visitors reach the edge; what X-Forwarded-Proto says. */
  scheme: 'http' | 'https';
  /** Connects to checked addresses only: the `connect` of `createGuard`. */
  connect: buildConnector.connector;
  /** Where a route without an origin leads, an address of the operator's own; null answers 503. */
  sandbox_origin: string | null;
  /** The emulator: `careers.acme.com.localhost` is `careers.acme.com`. */
  localhost_suffix?: boolean;
  limits: EdgeLimits;
  /** Called once a request, before its answer starts. */
  on_request?: (seen: SeenRequest) => void;
  on_failure?: (failure: EdgeFailure) => void;
}

/** What passed, for whoever shows it. */
export interface SeenRequest {
  request_id: string;
  at: Instant;
  method: string;
  /** Path and query. */
  path: string;
  /** The Host as routed; null when there was none to be read. */
  host: string | null;
  domain_id: string | null;
  /** Null when the visitor left before there was an answer. */
  status: number | null;
  /** Names and values as the origin got them, in order; empty when nothing was forwarded. */
  headers: [name: string, value: string][];
}

/** For the log: why the edge answered 502, 503 or 504. No path, no query, no header. */
export interface EdgeFailure {
  request_id: string;
  domain_id: string | null;
  /** What failed: the look-up of the route, or the origin. */
  of: 'route' | 'origin';
  error: unknown;
}

export interface EdgeHandler {
  /** @returns false when the request could not be trusted, nor anything that follows it on its connection. */
  serve(exchange: Exchange): boolean;
  seen(exchange: Exchange, status: number | null): void;
  close(): Promise<void>;
}

/** What the edge does with one request: read, route, redirect, or strip, add, sign and forward. */
export function createEdgeHandler(options: EdgeHandlerOptions): EdgeHandler {
  const { names, limits, scheme, sandbox_origin, localhost_suffix = false } = options;
  const origins = new OriginPools(limits, options.connect);
  // The operator's own address, on loopback perhaps: the guard would refuse it, and no customer can name this pool.
  const sandbox = new OriginPools(limits, buildConnector({ allowH2: false }));
  const noted = new WeakMap<Exchange, Noted>();

  function serve(exchange: Exchange): boolean {
    const { req } = exchange;
    const request = readRequestHead(
      {
        protocol: 'h1',
        http_version: req.httpVersion,
        method: req.method ?? '',
        target: req.url ?? '',
        raw_headers: req.rawHeaders,
      },
      { names, localhost_suffix, headers_max: limits.headers_max },
    );
    if (!request.ok) {
      exchange.fail(request.status, request.reason);
      return request.status !== 400;
    }
    const { hostname, suffix } = request.host;
    note(exchange, { host: hostname, domain_id: null, headers: [] });
    // RFC 9110 section 7.4: another name's connection may not be used, whatever certificate it got.
    if (exchange.socket instanceof TLSSocket && !isFor(exchange.socket, hostname + suffix)) {
      exchange.fail(421);
      return true;
    }
    void answer(exchange, request);
    return true;
  }

  /** Never rejects: what fails is the answer. */
  async function answer(exchange: Exchange, request: ReadableRequest): Promise<void> {
    try {
      const route = await options.find_route(request.host.hostname);
      if (exchange.over) return;
      if (route === null) exchange.fail(404);
      else if (route === 'held') exchange.fail(451);
      else if (route.redirect_to !== null) redirect(exchange, request, route, route.redirect_to);
      else send(exchange, request, route);
    } catch (error) {
      failed(exchange, 'route', error);
      exchange.fail(503);
    }
  }

  function redirect(
    exchange: Exchange,
    { host, path_and_query }: ReadableRequest,
    route: EdgeRoute,
    to: string,
  ): void {
    note(exchange, { host: host.hostname, domain_id: route.domain_id, headers: [] });
    const location = `${scheme}://${authorityOf(host, to)}${path_and_query}`;
    exchange.answer(redirectAnswer(location, exchange.request_id));
  }

  function send(
    exchange: Exchange,
    { host, path_and_query, body, upgrade }: ReadableRequest,
    route: EdgeRoute,
  ): void {
    const { req, socket } = exchange;
    const headers = forwardedHeaders(
      {
        method: req.method ?? '',
        host: host.hostname,
        path_and_query,
        raw_headers: req.rawHeaders,
        body,
        scheme,
        client_address: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
        timestamp_s: Math.floor(options.wall_clock.now() / 1000),
      },
      route,
      names,
    );
    note(exchange, { host: host.hostname, domain_id: route.domain_id, headers: headerPairs(headers) });
    forward(exchange, {
      origin: originOf(route),
      path: path_and_query,
      headers,
      has_body: body === 'chunked' || (body !== 'none' && body > 0),
      upgrade,
      limits,
      on_failure: (error) => failed(exchange, 'origin', error),
    });
  }

  function originOf({ origin }: EdgeRoute): OriginPool {
    if (origin !== null) return origins.get(origin);
    if (sandbox_origin === null) throw new Error('the route has no origin, and there is no sandbox origin');
    return sandbox.get(sandbox_origin);
  }

  function note(exchange: Exchange, what: Noted): void {
    noted.set(exchange, what);
  }

  function failed(exchange: Exchange, of: EdgeFailure['of'], error: unknown): void {
    const domain_id = noted.get(exchange)?.domain_id ?? null;
    options.on_failure?.({ request_id: exchange.request_id, domain_id, of, error });
  }

  return {
    serve,
    seen(exchange, status) {
      const { method = '', url = '' } = exchange.req;
      options.on_request?.({
        request_id: exchange.request_id,
        at: options.wall_clock.now(),
        method,
        path: url,
        status,
        ...(noted.get(exchange) ?? { host: null, domain_id: null, headers: [] }),
      });
    },
    async close() {
      await Promise.all([origins.destroy(), sandbox.destroy()]);
    },
  };
}

type ReadableRequest = Extract<ReadRequest, { ok: true }>;

type Noted = Pick<SeenRequest, 'host' | 'domain_id' | 'headers'>;

function isFor({ servername }: TLSSocket, hostname: string): boolean {
  return typeof servername === 'string' && servername.toLowerCase() === hostname;
}
