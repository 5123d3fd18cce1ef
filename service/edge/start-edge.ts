import { createGuard, type Guard } from '../../shared/adapters/guarded-connect.ts';
import { createHttpServer, type ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { monotonicClock } from '../../shared/adapters/system-clock.ts';
import { createHostPages } from '../../shared/connect/serve-host.ts';
import { createLogLimit } from '../../shared/core/text/log-limit.ts';
import { createSandboxOrigin } from '../../shared/edge/forwarding/sandbox-origin.ts';
import { createEdge, type Edge } from '../../shared/edge/listeners/edge-server.ts';
import { createRedirectServer } from '../../shared/edge/listeners/redirect-server.ts';
import { Lookups } from '../../shared/edge/routing/lookups.ts';
import { pathReceipts } from '../../shared/edge/routing/path-receipts.ts';
import { RouteTable } from '../../shared/edge/routing/route-table.ts';
import type { Context } from '../../shared/operations/context.ts';
import { findSandboxRoute, isSandboxed } from '../../shared/operations/edge/find-edge-route.ts';
import { findSandboxDomain } from '../../shared/operations/edge/find-sandbox-domain.ts';
import type { Composition } from '../compose.ts';
import type { ServiceConfig } from '../config.ts';
import type { countConnectionErrors } from '../health/connection-errors.ts';
import type { Metrics, RoutesKnown } from '../health/metrics.ts';
import { closeServer, listen } from '../listening.ts';
import type { ListenAddress } from '../settings/setting-kinds.ts';
import { createEdgeCertificates } from './edge-certificates.ts';
import { ownedChallenges } from './edge-challenges.ts';
import { createFreshRoutes } from './fresh-routes.ts';
import { pathKeysOf } from './path-probe.ts';
import { openRouteFeed } from './route-feed.ts';
import { rotateTicketKeys } from './ticket-keys.ts';

/** The running edge of a node, with its HTTPS and plain HTTP listeners. */
export interface StartedEdge {
  addresses: { edge: ListenAddress; edgeHttp: ListenAddress };
  routes(): RoutesKnown;
  /** Stops the edge. Running requests have `graceMs` to finish. */
  close(graceMs: number): Promise<void>;
}

/** How long a missing test domain is remembered, and the maximum number of concurrent lookups. */
const SANDBOX_LOOKUPS = { absentMs: 500, runningMax: 64 };

/** Limits of log lines that visitors can cause. The metrics count every failure. */
const VISITORS_LINES = { eachPerMinuteMax: 5, perMinuteMax: 120 };

/** Starts the edge, which listens once it has read all routes. @throws if the database is away, or an address is taken. */
export async function startEdge(
  composition: Composition,
  config: ServiceConfig,
  metrics: Metrics,
  connectionErrors: ReturnType<typeof countConnectionErrors>,
): Promise<StartedEdge> {
  await using started = new AsyncDisposableStack();
  const context: Context = { ...composition.context, store: composition.database.edgeStore };
  const { settings, log, wallClock, ids } = context;
  const limit = createLogLimit(VISITORS_LINES);
  const warn = (about: string, fields: object, message: string) => {
    const line = limit(about, monotonicClock.now());
    if (line !== null) log.warn({ ...fields, ...line }, message);
  };
  let edge: Edge | null = null;
  const table = new RouteTable();
  const certificates = createEdgeCertificates(context, table);
  const feed = await openRouteFeed(
    { ...context, store: composition.database.feedStore },
    { table, certificates, onChanged: (hostname) => edge?.certificateChanged(hostname) },
  );
  started.defer(feed.close);
  const routes = createFreshRoutes({ find: table.find, catchUp: feed.catchUp });
  started.defer(async () => routes.close());
  // Test domains are created and deleted by the thousand, so their routes are looked up in the database instead.
  const sandboxRoutes = new Lookups({
    find: (hostname) => findSandboxRoute(context, hostname),
    ...SANDBOX_LOOKUPS,
  });
  const sandboxOrigin = await startSandboxOrigin(context, started, {
    onFailure: (error) => warn('sandbox', { error }, 'the sandbox origin could not respond'),
    onConnectionError: connectionErrors('sandbox'),
  });
  const guard = edgeGuard(config);
  started.defer(guard.close);
  const shared = {
    findRoute: (hostname: string) =>
      isSandboxed(context, hostname) ? sandboxRoutes.find(hostname) : routes.find(hostname),
    challenges: ownedChallenges(context, table),
    pathReceipts: pathReceipts(pathKeysOf(composition.database.keys), settings.names, context.clock),
    names: settings.names,
    wallClock,
    ids,
    connect: guard.connect,
    hops: config.edgeHops,
    sandboxOrigin,
    serveHost: createHostPages(composition.context, composition.database.hostStore),
    onRequest: metrics.edgeRequest,
    onFailure(failure) {
      metrics.edgeFailure(failure);
      warn(`${failure.of} ${failure.domain_id}`, failure, 'the edge could not forward a request');
    },
  } satisfies Partial<Parameters<typeof createEdge>[0]>;
  edge = createEdge({
    ...shared,
    scheme: 'https',
    onConnectionError: connectionErrors('edge'),
    tls: {
      certificates,
      challenges: shared.challenges,
      onFailure(failure) {
        metrics.handshakeFailure(failure);
        warn(failure.of, failure, 'the edge could not look up a certificate');
      },
    },
  });
  const plain = createRedirectServer({
    ...shared,
    httpsPort: config.edgeProbePorts[1],
    onConnectionError: connectionErrors('edge_http'),
    plain: {
      includes: (hostname) => isSandboxed(context, hostname),
      connect: guard.connect,
      sandboxOrigin,
    },
  });
  started.defer(rotateTicketKeys(edge, composition.database.keys, context.clock));
  let graceMs = 0;
  const served = [edge, plain];
  started.defer(async () => {
    await Promise.all(served.map((each) => each.close({ graceMs })));
  });
  const { edge: https, edgeHttp: http, edgeReusePort: reusePort } = config;
  const addresses = {
    edge: {
      host: https.host,
      port: (await edge.listen(https.port, https.host, { reusePort })).port,
    },
    edgeHttp: {
      host: http.host,
      port: (await plain.listen(http.port, http.host, { reusePort })).port,
    },
  };
  const running = started.move();
  return {
    addresses,
    routes: () => ({ hostnames: table.size, unreadable: table.unreadable, ageMs: feed.ageMs() }),
    async close(givenMs) {
      graceMs = givenMs;
      await running.disposeAsync();
    },
  };
}

/** Starts the origin that serves test domains without one of their own. @returns its loopback address. */
async function startSandboxOrigin(
  context: Context,
  started: AsyncDisposableStack,
  {
    onFailure,
    onConnectionError,
  }: { onFailure(error: unknown): void; onConnectionError: ReportConnectionError },
): Promise<string> {
  const server = createHttpServer(
    {},
    createSandboxOrigin({
      names: context.settings.names,
      wallClock: context.wallClock,
      findDomain: (domainId) => findSandboxDomain(context, domainId),
      onFailure,
    }),
    onConnectionError,
  );
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  started.defer(() => closeServer(server, 0));
  return `http://127.0.0.1:${port}`;
}

function edgeGuard({ settings }: ServiceConfig): Guard {
  return createGuard({
    allowLoopback: settings.allowLoopback,
    refusedAddresses: [...settings.edgeIpv4, ...settings.edgeIpv6],
    connectTimeoutMs: 10_000,
  });
}
