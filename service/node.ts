import { createServer, type RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { toNodeHandler } from 'h3';
import { serveConnect } from '../shared/connect/serve-connect.ts';
import { ServiceError } from '../shared/core/errors.ts';
import { createEdge, type Edge } from '../shared/edge/edge-server.ts';
import { createSandboxOrigin } from '../shared/edge/sandbox-origin.ts';
import { createApi } from '../shared/http/api.ts';
import { createApiServer } from '../shared/http/api-server.ts';
import { findEdgeRoute } from '../shared/operations/find-edge-route.ts';
import { findSigningSecrets } from '../shared/operations/signing-secrets.ts';
import { createGuard, type Guard } from '../shared/ports/guarded-connect.ts';
import type { Log } from '../shared/ports/log.ts';
import { scheduleJobOnce } from '../shared/store/jobs.ts';
import { createAdminServer } from './admin-server.ts';
import type { Address, Role, ServiceConfig } from './config.ts';
import { closeServer, listen } from './listening.ts';
import { type Composition, type CompositionOverrides, composeService } from './main.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { readReadiness } from './readiness.ts';

/** A running node. */
export interface ServiceNode {
  composition: Composition;
  roles: readonly Role[];
  /** Where it listens: only what its roles need. */
  addresses: { api?: Address; edge?: Address; admin: Address };
  /** Takes nothing new, gives what is under way its time, gives leases back. */
  stop(): Promise<void>;
}

/** Longer than a webhook or a request may take. */
const DRAIN_MS = 12_000;

/** Starts a node of the service in the roles of its configuration. */
export async function startNode(
  config: ServiceConfig,
  log: Log,
  overrides: CompositionOverrides = {},
): Promise<ServiceNode> {
  const metrics = createMetrics();
  const composition = await composeService(config, log, { on_attempt: metrics.attempt, ...overrides });
  const { context, runner } = composition;
  const started: (() => Promise<void>)[] = [];
  const addresses: ServiceNode['addresses'] = { admin: config.admin };
  let draining = false;
  const admin = createAdminServer({ readiness: () => readReadiness(context, draining), metrics });

  async function stop(): Promise<void> {
    draining = true;
    log.info({ drain_delay_ms: config.drain_delay_ms }, 'the node drains');
    if (started.length > 0) await delay(config.drain_delay_ms);
    const ended = await Promise.allSettled(started.map((end) => end()));
    // It answers until the end: whoever watches the drain asks it.
    await closeServer(admin, 0);
    await composition.close();
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    log.info({}, 'the node has stopped');
  }

  try {
    addresses.admin = await listen(admin, config.admin);
    if (config.roles.includes('api')) {
      const api = createApiServer({ context, listener: apiListener(composition, config, metrics) });
      addresses.api = await listen(api, config.api);
      started.push(() => closeServer(api, DRAIN_MS));
    }
    if (config.roles.includes('edge')) {
      const { address, close } = await startEdge(composition, config, metrics);
      addresses.edge = address;
      started.push(close);
    }
    if (config.roles.includes('worker')) {
      await scheduleJobOnce(context.store, {
        kind: 'prune',
        subject_id: 'store',
        app_id: null,
        due_at: context.clock.now(),
      });
      runner.start();
      started.push(() => runner.stop());
    }
    log.info({ roles: config.roles, addresses }, 'the node has started');
    return { composition, roles: config.roles, addresses, stop };
  } catch (error) {
    // Nobody was told to come here yet.
    await Promise.allSettled(started.map((end) => end()));
    await closeServer(admin, 0);
    await composition.close();
    throw error;
  }
}

/** Refuses what would be one too many before memory or the pool's queue grows (`service_unavailable`, with Retry-After). */
function apiListener({ context }: Composition, config: ServiceConfig, metrics: Metrics): RequestListener {
  let in_flight = 0;
  const app = createApi(context, {
    before() {
      in_flight += 1;
      if (in_flight <= config.requests_in_flight_max) return;
      metrics.refused();
      throw new ServiceError('service_unavailable', { retry_after_s: 1 });
    },
    after(operation, status, duration_ms, request_id) {
      in_flight -= 1;
      metrics.request(operation, status, duration_ms);
      context.log.info({ request_id, operation, status, duration_ms: Math.round(duration_ms) }, 'request');
    },
  });
  serveConnect(app, context);
  return toNodeHandler(app) as RequestListener;
}

async function startEdge(
  { context }: Composition,
  config: ServiceConfig,
  metrics: Metrics,
): Promise<{ address: Address; close: () => Promise<void> }> {
  const { log } = context;
  const sandbox = createServer(
    createSandboxOrigin({
      names: context.settings.names,
      wall_clock: context.wall_clock,
      signing_secrets: (domain_id) => findSigningSecrets(context, domain_id),
      on_failure: (error) => log.warn({ error }, 'the sandbox origin could not answer'),
    }),
  );
  const { port } = await listen(sandbox, { host: '127.0.0.1', port: 0 });
  const guard = edgeGuard(config);
  const edge: Edge = createEdge({
    find_route: (hostname) => findEdgeRoute(context, hostname),
    names: context.settings.names,
    wall_clock: context.wall_clock,
    ids: context.ids,
    scheme: 'http',
    connect: guard.connect,
    sandbox_origin: `http://127.0.0.1:${port}`,
    on_request: metrics.edge_request,
    on_failure(failure) {
      metrics.edge_failure(failure);
      log.warn({ ...failure }, 'the edge could not forward a request');
    },
  });
  const listening = await edge.listen(config.edge.port, config.edge.host);
  return {
    address: { host: config.edge.host, port: listening.port },
    async close() {
      await edge.close({ grace_ms: DRAIN_MS });
      guard.close();
      await closeServer(sandbox, 0);
    },
  };
}

function edgeGuard({ settings }: ServiceConfig): Guard {
  return createGuard({
    allow_loopback: settings.allow_loopback,
    refused_addresses: [...settings.edge_ipv4, ...settings.edge_ipv6],
    connect_timeout_ms: 10_000,
  });
}
