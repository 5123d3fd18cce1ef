import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { openAccessLog } from '../../service/edge/access-log/open-access-log.ts';
import type { AccessLogSettings } from '../../service/settings/access-log-settings.ts';
import { createGuard, type Guard, type GuardOptions } from '../../shared/adapters/guarded-connect.ts';
import type { ConnectionError } from '../../shared/adapters/owned-server.ts';
import { createIds, systemRandom } from '../../shared/adapters/system.ts';
import type { EdgeRoute, RouteOrigin } from '../../shared/core/edge/edge-route.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import type { EdgeFailure } from '../../shared/edge/edge-failure.ts';
import type { EdgeLimits } from '../../shared/edge/edge-limits.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import { createEdge, type Edge, type EdgeOptions } from '../../shared/edge/listeners/edge-server.ts';
import type { Clock } from '../../shared/ports/system.ts';

export const NAMES = serviceNames('Service');
export const NOW_S = 1_800_000_000;
/** Returns whether a timestamp is close to the time of the tests' clock. The clock of nginx starts at this time and runs. */
export const isNow = (timestamp: unknown): boolean => Math.abs(Number(timestamp) - NOW_S) < 600;
export const clock: Clock = { now: () => NOW_S * 1000 + 999 };
export const HOST = 'careers.acme.com';

/** @param origin the origin's URL, the sandbox origin, or null for a domain without an origin. */
export function route(origin: string | null, more: Partial<EdgeRoute> = {}): EdgeRoute {
  return {
    domain_id: 'dom_1',
    app_id: 'app_1',
    hostname: HOST,
    origin: origin === null ? null : originOf(origin),
    origin_headers: null,
    signing_secret: 'whsec_one',
    redirectTo: null,
    until: Number.MAX_SAFE_INTEGER,
    ...more,
  };
}

function originOf(origin: string): RouteOrigin {
  return origin === SANDBOX ? { kind: 'sandbox' } : { kind: 'app', url: origin };
}

/** Pass this value to `route` as the origin for the sandbox origin. */
export const SANDBOX = 'sandbox';

export interface EdgeUnderTest extends AsyncDisposable {
  port: number;
  edge: TestedEdge;
  seen: SeenRequest[];
  failures: EdgeFailure[];
  asked: string[];
  connectionErrors: ConnectionError[];
  /** Waits until `failures` contains all failures so far. */
  collected(): Promise<void>;
}

/** An edge that a test started, on one of the engines. */
export interface TestedEdge extends Partial<Pick<Edge, 'accept' | 'listen'>> {
  certificateChanged(hostname: string | null): void | Promise<void>;
  setTicketKeys(keys: Buffer): void | Promise<void>;
  close(options?: { graceMs?: number }): Promise<void>;
}

/** An engine of the edge. */
export interface TestedEngine {
  name: 'node' | 'nginx';
  /** Starts an edge on 127.0.0.1. */
  start(options: EngineOptions): Promise<{ port: number; edge: TestedEdge; collect(): Promise<void> }>;
}

export interface EngineOptions extends Omit<EdgeOptions, 'limits' | 'connect'> {
  limits: Partial<EdgeLimits>;
  guard: Guard;
  connectTimeoutMs: number;
  /** Root certificates, in PEM, that the edge trusts for origins. */
  ca: readonly string[];
  onFailure: NonNullable<EdgeOptions['onFailure']>;
  /** The settings of the access log; undefined for none. */
  logTo?: AccessLogSettings | undefined;
}

const LOG_EVENTS = {
  random: systemRandom,
  clock,
  onDropped: () => undefined,
  onFailure: (error: unknown) => console.error(error),
};

/** The engine in Node, our own server. */
export const NODE_ENGINE: TestedEngine = {
  name: 'node',
  async start({ guard, logTo, ...options }) {
    const accessLog = logTo && (await openAccessLog(logTo, LOG_EVENTS));
    const edge = createEdge({ ...options, connect: guard.connect, accessLog });
    const { port } = await edge.listen(0, '127.0.0.1');
    const close: TestedEdge['close'] = async (closing) => {
      await edge.close(closing);
      await accessLog?.close();
    };
    return { port, edge: { ...edge, close }, collect: async () => undefined };
  },
};

let engine = NODE_ENGINE;

/** Makes the tests of this file run on another engine. */
export function runOn(used: TestedEngine): void {
  engine = used;
}

/**
 * Matches the outcome of a refused HTTP/2 request. nginx may respond with 400 or close the connection where our own server resets the
 * stream.
 */
export function refusal(outcome: unknown): unknown {
  return engine.name === 'node' ? outcome : expect.toSatisfy((each) => each !== 200, 'is refused');
}

/** Returns whether nginx refused an HTTP/2 request that our own server cleans and forwards. */
export function mayRefuse(outcome: unknown): boolean {
  return engine.name === 'nginx' && (outcome === 400 || outcome === 'reset 1');
}

/** Returns whether the engine adds each request to `seen`. */
export function reportsRequests(): boolean {
  return engine.name === 'node';
}

/** Starts an edge on 127.0.0.1 with routes for the given hostnames. Each option replaces a default. */
export async function edgeWith(
  routes: Record<string, EdgeRoute | 'held'>,
  {
    limits,
    lookup,
    ca = [],
    connectTimeoutMs = 10_000,
    refusedAddresses = [],
    ...options
  }: Partial<Omit<EdgeOptions, 'limits' | 'connect'>> & {
    limits?: Partial<EdgeLimits>;
    lookup?: NonNullable<GuardOptions['lookup']>;
    ca?: string[];
    connectTimeoutMs?: number;
    refusedAddresses?: string[];
    logTo?: AccessLogSettings;
  } = {},
): Promise<EdgeUnderTest> {
  const seen: SeenRequest[] = [];
  const failures: EdgeFailure[] = [];
  const asked: string[] = [];
  const connectionErrors: ConnectionError[] = [];
  const guard = createGuard({
    allowLoopback: true,
    refusedAddresses,
    connectTimeoutMs,
    ...(lookup ? { lookup } : {}),
    ...(ca.length > 0 ? { ca } : {}),
  });
  const { port, edge, collect } = await engine.start({
    findRoute: async (hostname) => {
      asked.push(hostname);
      return routes[hostname] ?? null;
    },
    names: NAMES,
    wallClock: clock,
    ids: createIds(clock, systemRandom),
    scheme: 'http',
    guard,
    connectTimeoutMs,
    ca,
    sandboxOrigin: null,
    serveHost: async () => new Response(null, { status: 404 }),
    onRequest: (request) => seen.push(request),
    onFailure: (failure) => failures.push(failure),
    onConnectionError: (error) => connectionErrors.push(error),
    ...options,
    // The edge does not check routes again, because tests count the lookups.
    limits: { route_check_ms: 3_600_000, ...limits },
  });
  return {
    port,
    edge,
    seen,
    failures,
    asked,
    connectionErrors,
    collected: collect,
    async [Symbol.asyncDispose]() {
      await edge.close();
      guard.close();
    },
  };
}

export interface OriginUnderTest extends AsyncDisposable {
  url: string;
  port: number;
  server: Server;
}

/** Starts an HTTP origin on 127.0.0.1. */
export async function originWith(listener: RequestListener): Promise<OriginUnderTest> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
