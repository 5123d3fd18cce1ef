import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '../shared/adapters/system.ts';
import { createValueBox } from '../shared/adapters/value-box.ts';
import type { ConnectionErrorKind } from '../shared/core/edge/connection-error.ts';
import { endEventStreams } from '../shared/http/event-streams.ts';
import { createEdgeReader } from '../shared/operations/edge/edge-reader.ts';
import type { Log } from '../shared/ports/system.ts';
import { scheduleJobOnce } from '../shared/store/jobs/jobs.ts';
import { autocommit } from '../shared/store/store.ts';
import { type Composition, type CompositionOverrides, composeService } from './compose.ts';
import type { ServiceConfig } from './config.ts';
import { lossWarning } from './database/commit-watch.ts';
import { keepSchedulesRepaired } from './database/keep-schedules-repaired.ts';
import { startDns } from './dns/start-dns.ts';
import { createDatabaseBackend } from './edge/edge-backend.ts';
import { type DrainableEdge, startDrainableEdge } from './edge/health/drainable-edge.ts';
import { createStoredBeats } from './edge/health/edge-beats.ts';
import { type EdgeReplica, openEdgeReplica } from './edge/replica/edge-replica.ts';
import { createPostgresSource } from './edge/replica/postgres-source.ts';
import { createAdminServer } from './health/admin-server.ts';
import { countConnectionErrors } from './health/connection-errors.ts';
import { createMetrics } from './health/metrics.ts';
import { watchNode } from './health/node-checks.ts';
import { watchPauses } from './health/pause-watch.ts';
import { type NodeState, readReadiness, replicaState } from './health/readiness.ts';
import { watchResolvers } from './health/resolver-watch.ts';
import { closeServer, listen, localUrlOf } from './listening.ts';
import { createNatsBeats } from './nats/nats-beats.ts';
import { createNatsSource } from './nats/nats-source.ts';
import { openNodeNats, startNodeRelay } from './nats/node-nats.ts';
import { createNodeApi } from './node-api.ts';

import { agreedSettings } from './settings/agreed-settings.ts';
import { configurationWarnings, logConfigurationWarnings } from './settings/configuration-warnings.ts';
import type { NodeRole } from './settings/node-roles.ts';
import type { ListenAddress } from './settings/setting-kinds.ts';

/** A running node. */
export interface ServiceNode {
  composition: Composition;
  roles: readonly NodeRole[];
  /** The addresses of the node's servers. A server is missing if the node does not have the server's role. */
  addresses: {
    api?: ListenAddress;
    edge?: ListenAddress;
    edgeHttp?: ListenAddress;
    dns?: readonly ListenAddress[];
    admin: ListenAddress;
  };
  /** Counts an uncaught error that concerned only one connection. */
  onContained(kind: ConnectionErrorKind): void;
  /**
   * Stops the node: it accepts no new work, gives running requests and jobs time to finish, and releases its leases.
   * @param options.leavesNginx true if a supervisor starts the node again. nginx then serves visitors until the next process takes it over.
   */
  stop(options?: { leavesNginx: boolean }): Promise<void>;
}

/** The time that running work has to finish. It is longer than the longest webhook or request. */
export const DRAIN_MS = 12_000;

/** Starts a node of the service in the roles of its configuration. */
export async function startNode(
  config: ServiceConfig,
  log: Log,
  overrides: CompositionOverrides = {},
): Promise<ServiceNode> {
  const metrics = createMetrics();
  const connectionErrors = countConnectionErrors(metrics, log);
  const composition = await composeService(config, log, {
    onAttempt: metrics.attempt,
    onCertificate: metrics.certificate,
    onSurvey(survey) {
      metrics.survey(survey);
      resolvers.saw(survey);
    },
    ...overrides,
  });
  const { context, runner } = composition;
  const resolvers = watchResolvers({ dns: composition.dns, clock: monotonicClock, log });
  const checks = watchNode(composition);
  const warnings = configurationWarnings(config);
  const loss = config.databaseUrl === null ? null : await lossWarning(composition.database.healthStore);
  if (loss !== null)
    log.warn({ docs: `${config.settings.docsUrl}/deploying-postgres#what-a-failover-can-lose` }, loss);
  const settings = agreedSettings(config);
  const started: ((leavesNginx?: boolean) => Promise<void>)[] = [];
  const addresses: ServiceNode['addresses'] = { admin: config.admin };
  const nats = openNodeNats(config, log);
  let draining = false;
  let edge: DrainableEdge | null = null;
  let replica: EdgeReplica | null = null;
  const { edgeKeys, edgeStore, feedStore, hostStore } = composition.database;
  const backend = createDatabaseBackend({ ...context, store: edgeStore }, hostStore);
  const beats =
    nats !== null && config.edgeSource === 'nats'
      ? createNatsBeats(nats, backend)
      : createStoredBeats(backend, log);
  const admin = createAdminServer({
    readiness,
    edgeReady: () => ({ ready: edgeReady(), notes: edge?.notes() ?? [] }),
    dnsReady: () => ({ ready: addresses.dns !== undefined && !draining }),
    metrics: async () => metrics.text(await readiness(), edge?.routes() ?? null),
    onConnectionError: connectionErrors('admin'),
  });

  function edgeReady(): boolean {
    return edge !== null && !draining && edge.ready();
  }

  async function readiness(): Promise<NodeState> {
    const { healthStore: store } = composition.database;
    const read = await readReadiness({ store, clock: context.clock }, draining);
    return {
      ...read,
      ready: read.ready && checks.ready(),
      checks: checks.states(),
      resolvers: resolvers.answering() ? 'ok' : 'none answers',
      configuration_warnings: warnings,
      settings,
      edge_engine: edge?.engine ?? null,
      replica: edge && replicaState(edge.routes()),
      edge_http_url: edge?.addresses.edgeHttp ? localUrlOf(edge.addresses.edgeHttp) : null,
    };
  }

  async function stop({ leavesNginx } = { leavesNginx: false }): Promise<void> {
    draining = true;
    log.info({ drainDelayMs: config.drainDelayMs }, 'the node drains');
    if (started.length > 0) await delay(config.drainDelayMs);
    const ended = await Promise.allSettled(started.map((end) => end(leavesNginx)));
    await replica?.close();
    await nats?.close();
    resolvers.close();
    checks.close();
    // Close the admin server last, because monitoring reads it while the node drains.
    await closeServer(admin, 0);
    await composition.close();
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    log.info({}, 'the node has stopped');
  }

  try {
    addresses.admin = await listen(admin, config.admin);
    watchPauses(log, admin);
    // The edge of this node may wait for its own relay.
    if (config.roles.includes('relay') && nats !== null) {
      const source = createPostgresSource(feedStore, context.notices);
      const { clock } = context;
      const relay = startNodeRelay(config, { store: feedStore, source, nats, clock, log });
      metrics.relay(relay.report);
      started.push(relay.close);
    }
    if (config.roles.some((role) => role === 'edge' || role === 'dns')) {
      const box = createValueBox(edgeKeys, context.random);
      const { clock, notices } = context;
      const folder = config.edgeReplica;
      const source =
        nats !== null && config.edgeSource === 'nats'
          ? createNatsSource(nats, context.wallClock)
          : createPostgresSource(feedStore, notices);
      replica = await openEdgeReplica({ folder, box, source, clock, log });
    }
    if (config.roles.includes('dns') && replica !== null) {
      const onError = connectionErrors('dns');
      const { findDnsTexts: findTexts } = createEdgeReader(replica, context.clock);
      const known = replica;
      const isDrained = (node: string) => known.find('drain', node) !== null;
      const edges = { beats, isDrained };
      const dns = await startDns(config, { findTexts, edges, edgeKeys, metrics: metrics.dns, onError, log });
      addresses.dns = dns.addresses;
      started.push(() => dns.close(DRAIN_MS));
    }
    if (config.roles.includes('api')) {
      const api = createNodeApi(composition, config, metrics, backend, connectionErrors('api'));
      addresses.api = await listen(api, config.api);
      started.push(() => {
        endEventStreams(context);
        return closeServer(api, DRAIN_MS);
      });
    }
    if (config.roles.includes('worker')) {
      for (const kind of ['prune', 'reconcile_edges'] as const) {
        const job = { kind, subject_id: 'store', app_id: null, due_at: context.clock.now() };
        await scheduleJobOnce(autocommit(context.store), job);
      }
      await keepSchedulesRepaired(context, composition.databaseClock);
      runner.start();
      started.push(() => runner.stop());
    }
    // The edge comes last, because without a replica it waits for its source, which may be away for longer than the rest.
    if (config.roles.includes('edge') && replica !== null) {
      const parts = { context, config, edgeKeys, replica, backend, metrics, connectionErrors };
      edge = await startDrainableEdge({ ...parts, beats, graceMs: DRAIN_MS, isReady: edgeReady });
      Object.assign(addresses, edge.addresses);
      const { close } = edge;
      started.push((leavesNginx) => close(DRAIN_MS, leavesNginx));
    }
    log.info({ roles: config.roles, addresses }, 'the node has started');
    logConfigurationWarnings(log, config, warnings);
    return {
      composition,
      roles: config.roles,
      addresses,
      onContained: metrics.containedError,
      stop,
    };
  } catch (error) {
    // Stop without draining, because no client knows these addresses yet.
    await Promise.allSettled(started.map((end) => end()));
    await replica?.close();
    await nats?.close();
    resolvers.close();
    checks.close();
    await closeServer(admin, 0);
    await composition.close();
    throw error;
  }
}
