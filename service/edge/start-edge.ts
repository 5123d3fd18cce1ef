import { createGuard, type Guard } from '../../shared/adapters/guarded-connect.ts';
import { createHttpServer } from '../../shared/adapters/owned-server.ts';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { createLogLimit } from '../../shared/core/text/log-limit.ts';
import { createTrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import { createSandboxOrigin } from '../../shared/edge/forwarding/sandbox-origin.ts';
import { createLookups } from '../../shared/edge/routing/lookups.ts';
import { pathReceipts } from '../../shared/edge/routing/path-receipts.ts';
import { startTrafficWriter } from '../../shared/edge/traffic/traffic-writer.ts';
import { createEdgeReader } from '../../shared/operations/edge/edge-reader.ts';
import { sandboxDomain, sandboxRoute, testDomainAt } from '../../shared/operations/edge/find-edge-route.ts';
import type { ServiceConfig } from '../config.ts';
import type { countConnectionErrors } from '../health/connection-errors.ts';
import type { Metrics, RoutesKnown } from '../health/metrics.ts';
import { closeServer, listen } from '../listening.ts';
import type { EncryptionKeys, ListenAddress } from '../settings/setting-kinds.ts';
import type { EdgeBackend } from './edge-backend.ts';
import {
  CONNECT_TIMEOUT_MS,
  type EdgeContext,
  type EdgeEngine,
  type EdgeEngineState,
  LATE_MS,
} from './engine.ts';
import { startNginxEngine } from './nginx-engine.ts';
import { startNodeEngine } from './node-engine.ts';
import { pathKeysOf } from './path-probe.ts';
import { afterPauses } from './replica/after-pauses.ts';
import type { EdgeReplica } from './replica/edge-replica.ts';
import { reportAge } from './replica/report-age.ts';
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

/** The dependencies of an edge. */
export interface ServiceEdgeOptions {
  context: EdgeContext;
  config: ServiceConfig;
  edgeKeys: EncryptionKeys;
  replica: EdgeReplica;
  backend: EdgeBackend;
  metrics: Metrics;
  connectionErrors: ReturnType<typeof countConnectionErrors>;
  /** Returns whether load balancers should send visitors to this node. */
  isReady: () => boolean;
}

/** Starts the edge once its replica is complete. @throws if an address is taken. */
export async function startEdge(options: ServiceEdgeOptions): Promise<StartedEdge> {
  const { context, config, edgeKeys, replica, backend, metrics, connectionErrors, isReady } = options;
  await using started = new AsyncDisposableStack();
  const { settings, clock, log } = context;
  const limit = createLogLimit(VISITORS_LINES);
  const warn = (about: string, fields: object, message: string) => {
    const line = limit(about, monotonicClock.now());
    if (line !== null) log.warn({ ...fields, ...line }, message);
  };
  await replica.complete;
  const reader = createEdgeReader(replica, clock);
  const findRoute = afterPauses(reader.findRoute, replica);
  started.defer(findRoute.close);
  const testDomains = createLookups({
    async find(hostname) {
      const id = testDomainAt(context, hostname);
      const found = id === null ? null : await backend.findTestDomain(id);
      return found && sandboxRoute(found, clock.now());
    },
    ...SANDBOX_LOOKUPS,
  });
  const sandboxOrigin = await startSandboxOrigin(options, started, (error) =>
    warn('sandbox', { error }, 'the sandbox origin could not respond'),
  );
  const traffic = createTrafficCounter();
  // The traffic writer is closed after the engine, so that it writes the last requests too.
  started.defer(startTrafficWriter({ counter: traffic, log, save: backend.writeTraffic }).close);
  const guard = edgeGuard(config);
  started.defer(guard.close);
  const start = config.edgeEngine === 'nginx' ? startNginxEngine : startNodeEngine;
  const engine = await start({
    context,
    config,
    metrics,
    connectionErrors,
    findRoute: (hostname: string) =>
      testDomainAt(context, hostname) === null ? findRoute(hostname) : testDomains.find(hostname),
    isReady,
    certificates: reader.certificates,
    challenges: reader.challenges,
    pathReceipts: pathReceipts(pathKeysOf(edgeKeys), settings.names, clock),
    guard,
    traffic,
    sandboxOrigin,
    serveHost: backend.serveHost,
    ticketKeys: (bytes: number) => ticketKeysOf(edgeKeys, clock.now(), bytes),
    warn,
  });
  let closing: Parameters<EdgeEngine['close']> = [0];
  started.defer(() => engine.close(...closing));
  started.defer(replica.subscribe(engine));
  // Values may have changed while the engine started.
  engine.changed(null);
  started.defer(rotateTicketKeys(engine, edgeKeys, clock));
  started.defer(reportAge(replica, config.edgeStaleMs, log));
  const all = started.move();
  const engineAgeMs = () => engine.ageMs?.() ?? 0;
  return {
    engine: engine.state,
    addresses: engine.addresses,
    ready: () => engineAgeMs() <= LATE_MS,
    routes: () => ({ ...replica.counts(), ageMs: replica.ageMs() + engineAgeMs() }),
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
  { context, backend, connectionErrors }: ServiceEdgeOptions,
  started: AsyncDisposableStack,
  onFailure: (error: unknown) => void,
): Promise<string> {
  const server = createHttpServer(
    {},
    createSandboxOrigin({
      names: context.settings.names,
      wallClock: context.wallClock,
      findDomain: async (id) => sandboxDomain(await backend.findTestDomain(id), context.clock.now()),
      onFailure,
    }),
    connectionErrors('sandbox'),
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
