import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuard, type GuardOptions } from '../../shared/adapters/guarded-connect.ts';
import type { ConnectionError } from '../../shared/adapters/owned-server.ts';
import { createIds, systemRandom } from '../../shared/adapters/system-random.ts';
import type { EdgeRoute, RouteOrigin } from '../../shared/core/edge/edge-route.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import type { EdgeFailure } from '../../shared/edge/edge-failure.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { EdgeLimits } from '../../shared/edge/listeners/edge-limits.ts';
import { createEdge, type Edge, type EdgeOptions } from '../../shared/edge/listeners/edge-server.ts';
import type { Clock } from '../../shared/ports/clock.ts';

export const NAMES = serviceNames('Service');
export const NOW_S = 1_800_000_000;
export const clock: Clock = { now: () => NOW_S * 1000 + 999 };
export const HOST = 'careers.acme.com';

/** @param origin an address, the sandbox origin, or null for a domain without one. */
export function route(origin: string | null, more: Partial<EdgeRoute> = {}): EdgeRoute {
  return {
    domain_id: 'dom_1',
    app_id: 'app_1',
    hostname: HOST,
    origin: origin === null ? null : originOf(origin),
    origin_headers: null,
    signing_secret: 'whsec_one',
    redirectTo: null,
    ...more,
  };
}

function originOf(origin: string): RouteOrigin {
  return origin === SANDBOX ? { kind: 'sandbox' } : { kind: 'app', url: origin };
}

/** Makes `route` lead to the sandbox origin. */
export const SANDBOX = 'sandbox';

export interface EdgeUnderTest extends AsyncDisposable {
  port: number;
  edge: Edge;
  seen: SeenRequest[];
  failures: EdgeFailure[];
  asked: string[];
  connectionErrors: ConnectionError[];
}

/** Starts an edge on 127.0.0.1 that knows the given hostnames. Any other option replaces a default. */
export async function edgeWith(
  routes: Record<string, EdgeRoute | 'held'>,
  {
    limits,
    lookup,
    ca,
    connectTimeoutMs = 10_000,
    ...options
  }: Partial<Omit<EdgeOptions, 'limits'>> & {
    limits?: Partial<EdgeLimits>;
    lookup?: NonNullable<GuardOptions['lookup']>;
    ca?: string[];
    connectTimeoutMs?: number;
  } = {},
): Promise<EdgeUnderTest> {
  const seen: SeenRequest[] = [];
  const failures: EdgeFailure[] = [];
  const asked: string[] = [];
  const connectionErrors: ConnectionError[] = [];
  const guard = createGuard({
    allowLoopback: true,
    refusedAddresses: [],
    connectTimeoutMs,
    ...(lookup ? { lookup } : {}),
    ...(ca ? { ca } : {}),
  });
  const edge = createEdge({
    findRoute: async (hostname) => {
      asked.push(hostname);
      return routes[hostname] ?? null;
    },
    names: NAMES,
    wallClock: clock,
    ids: createIds(clock, systemRandom),
    scheme: 'http',
    connect: guard.connect,
    sandboxOrigin: null,
    serveHost: async () => new Response(null, { status: 404 }),
    onRequest: (request) => seen.push(request),
    onFailure: (failure) => failures.push(failure),
    onConnectionError: (error) => connectionErrors.push(error),
    ...options,
    // Routes are not checked again, because tests count the lookups.
    limits: { route_check_ms: 3_600_000, ...limits },
  });
  const { port } = await edge.listen(0, '127.0.0.1');
  return {
    port,
    edge,
    seen,
    failures,
    asked,
    connectionErrors,
    async [Symbol.asyncDispose]() {
      await edge.close();
      guard.close();
    },
  };
}

export interface OriginUnderTest extends AsyncDisposable {
  url: string;
  port: number;
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
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
