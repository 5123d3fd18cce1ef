import { createGuard, type Guard } from '../../shared/adapters/guarded-connect.ts';
import { createHttpServer, type ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { createValueBox } from '../../shared/adapters/value-box.ts';
import { createHostPages } from '../../shared/connect/serve-host.ts';
import { createLogLimit } from '../../shared/core/text/log-limit.ts';
import { createTrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import { createSandboxOrigin } from '../../shared/edge/forwarding/sandbox-origin.ts';
import { createLookups } from '../../shared/edge/routing/lookups.ts';
import { pathReceipts } from '../../shared/edge/routing/path-receipts.ts';
import { startTrafficWriter } from '../../shared/edge/traffic/traffic-writer.ts';
import type { Context } from '../../shared/operations/context.ts';
import { createEdgeReader } from '../../shared/operations/edge/edge-reader.ts';
import {
  findSandboxDomain,
  findSandboxRoute,
  isSandboxed,
} from '../../shared/operations/edge/find-edge-route.ts';
import type { Composition } from '../compose.ts';
import type { ServiceConfig } from '../config.ts';
import type { countConnectionErrors } from '../health/connection-errors.ts';
import type { Metrics, RoutesKnown } from '../health/metrics.ts';
import { closeServer, listen } from '../listening.ts';
import type { ListenAddress } from '../settings/setting-kinds.ts';
import { CONNECT_TIMEOUT_MS, type EdgeEngine, type EdgeEngineState, LATE_MS } from './engine.ts';
import { startNginxEngine } from './nginx-engine.ts';
import { startNodeEngine } from './node-engine.ts';
import { pathKeysOf } from './path-probe.ts';
import { afterPauses } from './replica/after-pauses.ts';
import { openEdgeReplica } from './replica/edge-replica.ts';
import { rotateTicketKeys, ticketKeysOf } from './ticket-keys.ts';

/** The running edge of a node, with its HTTPS and plain HTTP listeners. */
export interface StartedEdge {
  addresses: { edge: ListenAddress; edgeHttp: ListenAddress };
  engine: EdgeEngineState;
  /** Returns true if the engine's routes are at most `LATE_MS` older than the routes that this process knows. */
  ready(): boolean;
  routes(): RoutesKnown;
  /** Stops the edge. Running requests have `graceMs` to finish. @param leavesNginx true to leave nginx to the node's next process. */
  close(graceMs: number, leavesNginx?: boolean): Promise<void>;
}

/** For test domains: how long a missing domain is remembered, and the maximum number of concurrent lookups. */
const SANDBOX_LOOKUPS = { absentMs: 500, runningMax: 64 };

/** The limits of log lines that visitors can cause. The metrics still count every failure. */
const VISITORS_LINES = { eachPerMinuteMax: 5, perMinuteMax: 120 };

/**
 * Starts the edge, which listens once it has a replica to serve from. Without a replica, this waits for the first copy.
 * @throws if the replica's folder cannot be used, or if an address is taken.
 */
export async function startEdge(
  composition: Composition,
  config: ServiceConfig,
  metrics: Metrics,
  connectionErrors: ReturnType<typeof countConnectionErrors>,
  isReady: () => boolean,
): Promise<StartedEdge> {
  await using started = new AsyncDisposableStack();
  const context: Context = { ...composition.context, store: composition.database.edgeStore };
  const { settings, log } = context;
  const limit = createLogLimit(VISITORS_LINES);
  const warn = (about: string, fields: object, message: string) => {
    const line = limit(about, monotonicClock.now());
    if (line !== null) log.warn({ ...fields, ...line }, message);
  };
  let engine: EdgeEngine | null = null;
  const { edgeKeys, feedStore } = composition.database;
  const replica = await openEdgeReplica({
    folder: config.edgeReplica,
    box: createValueBox(edgeKeys, context.random),
    store: feedStore,
    clock: context.clock,
    notices: context.notices,
    log,
    onChanged: (hostname) => engine?.changed(hostname),
    onAppChanged: (appId) => engine?.appChanged?.(appId),
  });
  started.defer(replica.close);
  const reader = createEdgeReader(replica, context.clock);
  const findRoute = afterPauses(reader.findRoute, replica);
  // Look up the routes of test domains in the database instead of the table, because test domains are created and deleted by the thousand.
  const sandboxRoutes = createLookups({
    find: (hostname) => findSandboxRoute(context, hostname),
    ...SANDBOX_LOOKUPS,
  });
  const sandboxOrigin = await startSandboxOrigin(context, started, {
    onFailure: (error) => warn('sandbox', { error }, 'the sandbox origin could not respond'),
    onConnectionError: connectionErrors('sandbox'),
  });
  const traffic = createTrafficCounter();
  // The traffic writer is closed after the engine, so that it writes the last requests too.
  started.defer(startTrafficWriter(context, traffic).close);
  const guard = edgeGuard(config);
  started.defer(guard.close);
  const start = config.edgeEngine === 'nginx' ? startNginxEngine : startNodeEngine;
  const parts = {
    context,
    config,
    metrics,
    connectionErrors,
    findRoute: (hostname: string) =>
      isSandboxed(context, hostname) ? sandboxRoutes.find(hostname) : findRoute(hostname),
    isReady,
    certificates: reader.certificates,
    challenges: reader.challenges,
    pathReceipts: pathReceipts(pathKeysOf(edgeKeys), settings.names, context.clock),
    guard,
    traffic,
    sandboxOrigin,
    serveHost: createHostPages(composition.context, composition.database.hostStore),
    ticketKeys: (bytes: number) => ticketKeysOf(edgeKeys, context.clock.now(), bytes),
    warn,
  };
  const running = await start(parts);
  engine = running;
  // Values may have changed while the engine started.
  running.changed(null);
  let closing: Parameters<EdgeEngine['close']> = [0];
  started.defer(() => running.close(...closing));
  started.defer(rotateTicketKeys(running, edgeKeys, context.clock));
  const all = started.move();
  const engineAgeMs = () => running.ageMs?.() ?? 0;
  const ageMs = () => replica.ageMs() + engineAgeMs();
  return {
    engine: running.state,
    addresses: running.addresses,
    ready: () => engineAgeMs() <= LATE_MS,
    routes: () => ({ ...replica.counts(), ageMs: ageMs() }),
    async close(...given) {
      closing = given;
      await all.disposeAsync();
    },
  };
}

/**
 * Starts the sandbox origin, which serves test domains without an origin of their own.
 *
 * @returns the loopback address of the sandbox origin.
 */
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
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
}
