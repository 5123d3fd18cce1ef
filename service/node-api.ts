import type { RequestListener, Server } from 'node:http';
import { toNodeHandler } from 'h3';
import { clientAddresses } from '../shared/adapters/client-addresses.ts';
import type { ReportConnectionError } from '../shared/adapters/owned-server.ts';
import { monotonicClock } from '../shared/adapters/system.ts';
import { createValueBox } from '../shared/adapters/value-box.ts';
import { serveConnect } from '../shared/connect/serve-connect.ts';
import { createLogLimit } from '../shared/core/text/log-limit.ts';
import { serveDashboard } from '../shared/dashboard/serve-dashboard.ts';
import { serveEmbed } from '../shared/embed/serve-embed.ts';
import { createAdmission, recordClients } from '../shared/http/admission.ts';
import { createApi } from '../shared/http/api.ts';
import { createApiServer } from '../shared/http/api-server.ts';
import { serveBillingWebhooks } from '../shared/http/billing-webhooks.ts';
import { boundConnections, CONNECTION_BOUNDS } from '../shared/http/bound-connections.ts';
import { serveRoot } from '../shared/http/envelope.ts';
import type { RouteHooks } from '../shared/http/handle-route.ts';
import type { Composition } from './compose.ts';
import type { ServiceConfig } from './config.ts';
import type { EdgeBackend } from './edge/edge-backend.ts';
import type { Metrics } from './health/metrics.ts';
import { serveInner } from './inner/serve-inner.ts';

/** The time after which an idle connection is closed. It is longer than the longest API response. */
const IDLE_MS = 60_000;
/** The timeout of list queries. It is shorter than the timeout of other queries, because a client can request smaller pages. */
const LIST_TIMEOUT_MS = 5_000;
/** The limits of log lines about refused requests, for each status and for all statuses together. */
const REFUSED_LINES = { eachPerMinuteMax: 60, perMinuteMax: 120 };

/** Creates the server of the API, the dashboard and the connect pages of a node. */
export function createNodeApi(
  { context, database, passkeys, identityProvider }: Composition,
  config: ServiceConfig,
  metrics: Metrics,
  backend: EdgeBackend,
  onConnectionError: ReportConnectionError,
): Server {
  const { shares } = database;
  const limit = createLogLimit(REFUSED_LINES);
  const admission = createAdmission(context, {
    requestsMax: config.requestsInFlightMax,
    listTimeoutMs: Math.min(LIST_TIMEOUT_MS, config.statementTimeoutMs),
    storeOf: shares.ofAccount,
    onDelayed: metrics.delayed,
  });
  // The connect pages use their own share of database connections, so that their visitors cannot use up the connections of the apps.
  const forPages = { ...context, store: database.connectStore };
  const hooks: RouteHooks = {
    admission,
    keyStores: shares,
    onRefused: metrics.refused,
    isDatabaseLate: database.commits.isLate,
    after(operation, status, durationMs, requestId) {
      metrics.request(operation, status, durationMs);
      const line = isRefused(status) ? limit(String(status), monotonicClock.now()) : {};
      if (line === null) return;
      const fields = { request_id: requestId, operation, status, duration_ms: Math.round(durationMs) };
      context.log.info({ ...fields, ...line }, 'request');
    },
  };
  const app = createApi(
    context,
    hooks,
    (server, handle) =>
      serveDashboard(server, forPages, handle, {
        isOpen: false,
        addition: null,
        passkeys,
        identityProvider,
        admission,
      }),
    (server) => serveEmbed(server, forPages, admission),
    serveInner(backend, {
      edgeKeys: database.edgeKeys,
      box: createValueBox(database.edgeKeys, context.random),
      clock: context.clock,
    }),
    (server) => (config.stripe === null ? [] : serveBillingWebhooks(server, context, { admission })),
  );
  serveConnect(app, () => ({ context: forPages, appId: null }));
  serveRoot(app, context.settings.baseUrl);
  const listener = toNodeHandler(app) as RequestListener;
  const server = createApiServer(
    { context, listener },
    { limits: { idleMs: IDLE_MS }, onDropped: metrics.dropped, onConnectionError },
  );
  const addresses = clientAddresses(config.apiHops);
  boundConnections(server, metrics.dropped, CONNECTION_BOUNDS, addresses);
  recordClients(server, addresses, config.apiHops.proxies);
  addresses.readHeaders(server);
  return server;
}

/**
 * Returns true for the status of a refused request. The log lines about such requests are limited, because a client can cause any number of
 * them.
 */
function isRefused(status: number): boolean {
  return status === 401 || status === 429 || status === 503;
}
