import { createServer } from 'node:http';
import { createEdge, type Edge } from '../shared/edge/edge-server.ts';
import { createRedirectServer } from '../shared/edge/redirect-server.ts';
import { createSandboxOrigin } from '../shared/edge/sandbox-origin.ts';
import type { Context } from '../shared/operations/context.ts';
import { findSandboxRoute, isSandboxed } from '../shared/operations/find-edge-route.ts';
import { findSigningSecrets } from '../shared/operations/signing-secrets.ts';
import { createGuard, type Guard } from '../shared/ports/guarded-connect.ts';
import type { ServiceConfig } from './config.ts';
import { ownedChallenges } from './edge-certificates.ts';
import { closeServer, listen } from './listening.ts';
import type { Composition } from './main.ts';
import type { Metrics, RoutesKnown } from './metrics.ts';
import { openRouteFeed } from './route-feed.ts';
import type { Address } from './setting-kinds.ts';
import { rotateTicketKeys } from './ticket-keys.ts';

/** The edge of a node: HTTPS, and plain HTTP beside it. */
export interface StartedEdge {
  addresses: { edge: Address; edge_http: Address };
  routes(): RoutesKnown;
  /** What is under way has so long. */
  close(grace_ms: number): Promise<void>;
}

/** Listens once all routes are known. @throws where the database is away, or an address is taken. */
export async function startEdge(
  composition: Composition,
  config: ServiceConfig,
  metrics: Metrics,
): Promise<StartedEdge> {
  await using started = new AsyncDisposableStack();
  const context: Context = { ...composition.context, store: composition.database.edge_store };
  const { settings, log, wall_clock, ids } = context;
  let edge: Edge | null = null;
  const feed = await openRouteFeed(context, { on_changed: (hostname) => edge?.certificateChanged(hostname) });
  started.defer(feed.close);
  const sandbox_origin = await startSandboxOrigin(context, started);
  const guard = edgeGuard(config);
  started.defer(guard.close);
  const shared = {
    // Test domains come and go by the thousand: they are asked of the database.
    find_route: (hostname: string) =>
      isSandboxed(context, hostname) ? findSandboxRoute(context, hostname) : feed.table.find(hostname),
    challenges: ownedChallenges(context, feed.table),
    names: settings.names,
    wall_clock,
    ids,
    connect: guard.connect,
    sandbox_origin,
    on_request: metrics.edge_request,
    on_failure(failure) {
      metrics.edge_failure(failure);
      log.warn({ ...failure }, 'the edge could not forward a request');
    },
  } satisfies Partial<Parameters<typeof createEdge>[0]>;
  edge = createEdge({
    ...shared,
    scheme: 'https',
    tls: {
      certificates: feed.certificates,
      challenges: shared.challenges,
      on_failure(failure) {
        metrics.handshake_failure(failure);
        log.warn({ ...failure }, 'the edge could not look a certificate up');
      },
    },
  });
  const plain = createRedirectServer({
    ...shared,
    https_port: config.edge_probe_ports[1],
    plain: {
      includes: (hostname) => isSandboxed(context, hostname),
      connect: guard.connect,
      sandbox_origin,
    },
  });
  started.defer(rotateTicketKeys(edge, composition.database.keys, context.clock));
  let grace_ms = 0;
  const served = [edge, plain];
  started.defer(async () => {
    await Promise.all(served.map((each) => each.close({ grace_ms })));
  });
  const [https, http] = [config.edge, config.edge_http];
  const addresses = {
    edge: { host: https.host, port: (await edge.listen(https.port, https.host)).port },
    edge_http: { host: http.host, port: (await plain.listen(http.port, http.host)).port },
  };
  const running = started.move();
  return {
    addresses,
    routes: () => ({ hostnames: feed.table.size, age_ms: feed.ageMs() }),
    async close(so_long_ms) {
      grace_ms = so_long_ms;
      await running.disposeAsync();
    },
  };
}

/** Where test domains lead whose app has no origin. @returns its address, on loopback. */
async function startSandboxOrigin(context: Context, started: AsyncDisposableStack): Promise<string> {
  const server = createServer(
    createSandboxOrigin({
      names: context.settings.names,
      wall_clock: context.wall_clock,
      signing_secrets: (domain_id) => findSigningSecrets(context, domain_id),
      on_failure: (error) => context.log.warn({ error }, 'the sandbox origin could not answer'),
    }),
  );
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  started.defer(() => closeServer(server, 0));
  return `http://127.0.0.1:${port}`;
}

function edgeGuard({ settings }: ServiceConfig): Guard {
  return createGuard({
    allow_loopback: settings.allow_loopback,
    refused_addresses: [...settings.edge_ipv4, ...settings.edge_ipv6],
    connect_timeout_ms: 10_000,
  });
}
