import { setTimeout as delay } from 'node:timers/promises';
import { createIds, monotonicClock, systemClock, systemRandom } from '../shared/adapters/system.ts';
import { createValueBox } from '../shared/adapters/value-box.ts';
import { createEdgeReader } from '../shared/operations/edge/edge-reader.ts';
import type { Clock, Log } from '../shared/ports/system.ts';
import type { CompositionOverrides } from './compose.ts';
import type { ServiceConfig } from './config.ts';
import { openDatabaseClock } from './database/database-clock.ts';
import { openPostgresNotices } from './database/postgres-notices.ts';
import { openPostgresStore } from './database/postgres-store.ts';
import { startDns } from './dns/start-dns.ts';
import type { EdgeBackend } from './edge/edge-backend.ts';
import { type DrainableEdge, startDrainableEdge } from './edge/health/drainable-edge.ts';
import { createStoredBeats, type EdgeBeats } from './edge/health/edge-beats.ts';
import { type EdgeReplica, openEdgeReplica } from './edge/replica/edge-replica.ts';
import { createPostgresSource } from './edge/replica/postgres-source.ts';
import { createAdminServer } from './health/admin-server.ts';
import { countConnectionErrors } from './health/connection-errors.ts';
import { createMetrics } from './health/metrics.ts';
import { watchPauses } from './health/pause-watch.ts';
import { NOT_USED, type NodeState, replicaState } from './health/readiness.ts';
import { createInnerBackend } from './inner/inner-backend.ts';
import { closeServer, listen, localUrlOf } from './listening.ts';
import { createNatsBeats } from './nats/nats-beats.ts';
import { createNatsSource } from './nats/nats-source.ts';
import { openNodeNats, startNodeRelay } from './nats/node-nats.ts';
import type { OpenedNats } from './nats/open-nats.ts';
import type { Relay } from './nats/relay.ts';
import { DRAIN_MS, type ServiceNode } from './node.ts';
import { agreedSettings } from './settings/agreed-settings.ts';
import { configurationWarnings } from './settings/configuration-warnings.ts';
import { canFollow, edgeRingOf } from './settings/key-rings.ts';
import type { EncryptionKeys } from './settings/setting-kinds.ts';

/** The connections of the pool: one for the follower or the relay, and one for the clock. Notices use a connection of their own. */
const CONNECTIONS_MAX = 2;
/** The time that a starting node waits for the database's time. */
const CLOCK_PATIENCE_MS = 1_000;

/**
 * Starts a node that has only the roles `edge`, `dns` and `relay` (`decisions/0101`). An edge accepts connections from the internet, so it
 * needs no encryption key and writes nothing to the database. It serves from its replica while the database, NATS and the API are away.
 */
export async function startOutsideNode(
  config: ServiceConfig,
  log: Log,
  overrides: Pick<CompositionOverrides, 'clock'> = {},
): Promise<Pick<ServiceNode, 'roles' | 'addresses' | 'onContained' | 'stop'>> {
  const metrics = createMetrics();
  const connectionErrors = countConnectionErrors(metrics, log);
  await using started = new AsyncDisposableStack();
  const addresses: ServiceNode['addresses'] = { admin: config.admin };
  let draining = false;
  let edge: DrainableEdge | null = null;
  let relay: Relay | null = null;
  let closing: Parameters<DrainableEdge['close']> = [0];
  const edgeReady = () => !draining && edge?.ready() === true;
  const dnsReady = () => !draining && addresses.dns !== undefined;
  const relayReady = () => !draining && relay !== null && relay.problem() === null;
  const isReady = {
    edge: edgeReady,
    dns: dnsReady,
    relay: relayReady,
    api: () => false,
    worker: () => false,
  };
  const edgeProblems = () => {
    if (edge === null) return ['the edge waits for a first copy of all values'];
    const notes = edge.notes();
    return notes.length > 0 ? notes : ['the engine of the edge is not ready'];
  };
  const problems = () => [
    ...(config.roles.includes('edge') && !edgeReady() ? edgeProblems() : []),
    ...(config.roles.includes('dns') && !dnsReady() ? ['the name server has not started'] : []),
    ...(config.roles.includes('relay') && !relayReady()
      ? [`the relay cannot work: ${relay?.problem() ?? 'it has not started'}`]
      : []),
  ];
  const state = (): NodeState => ({
    ready: config.roles.every((role) => isReady[role]()),
    draining,
    database: NOT_USED,
    migrations: NOT_USED,
    backlog: null,
    certificate_left_s: null,
    resolvers: NOT_USED,
    checks: {},
    configuration_warnings: configurationWarnings(config),
    settings: agreedSettings(config),
    edge_engine: edge?.engine ?? null,
    replica: edge && replicaState(edge.routes()),
    edge_http_url: edge?.addresses.edgeHttp ? localUrlOf(edge.addresses.edgeHttp) : null,
    problems: draining ? [] : problems(),
  });
  /** A name server works without a replica, except for challenges. */
  const withoutReplica = (error: unknown) => {
    if (config.roles.includes('edge')) throw error;
    log.error({ error }, 'the replica cannot be opened, so this node answers no challenges');
    return null;
  };
  const admin = createAdminServer({
    readiness: async () => state(),
    edgeReady: () => ({ ready: edgeReady(), notes: edge?.notes() ?? [] }),
    dnsReady: () => ({ ready: dnsReady() }),
    metrics: () => metrics.text(state(), edge?.routes() ?? null),
    onConnectionError: connectionErrors('admin'),
  });
  addresses.admin = await listen(admin, config.admin);
  started.defer(() => closeServer(admin, 0));
  watchPauses(log, admin);

  const nats = openNodeNats(config, log);
  if (nats !== null) started.defer(nats.close);
  const needsDatabase = config.roles.includes('relay') || config.edgeSource === 'postgres';
  const database = config.databaseUrl === null || !needsDatabase ? null : openFollowed(config, log, started);
  const values =
    config.roles.some((role) => role !== 'relay') && canFollow(config)
      ? await openValues(config, { nats, database }, log, started, overrides).catch(withoutReplica)
      : null;
  if (config.roles.includes('relay') && nats !== null && database !== null) {
    const clock = await openDatabaseClock(database.store, {
      machine: monotonicClock,
      log,
      patienceMs: CLOCK_PATIENCE_MS,
    });
    started.defer(clock.close);
    relay = startNodeRelay(config, { nats, ...database, clock, log });
    metrics.relay(relay.report);
    started.defer(relay.close);
  }
  if (config.roles.includes('dns')) {
    const reader = values && createEdgeReader(values.replica, values.clock);
    const dns = await startDns(config, {
      findTexts: reader?.findDnsTexts ?? null,
      edges: values && {
        beats: values.beats,
        isDrained: (node) => values.replica.find('drain', node) !== null,
      },
      edgeKeys: values?.edgeKeys ?? null,
      log,
      metrics: metrics.dns,
      onError: connectionErrors('dns'),
    });
    started.defer(() => dns.close(DRAIN_MS));
    addresses.dns = dns.addresses;
  }
  if (config.roles.includes('edge') && values !== null) {
    const { edgeKeys, replica, clock, wallClock, backend, beats } = values;
    const { settings } = config;
    const random = systemRandom;
    const context = { settings, clock, wallClock, random, ids: createIds(clock, random), log };
    const parts = { context, config, edgeKeys, replica, backend, metrics, connectionErrors };
    edge = await startDrainableEdge({ ...parts, beats, graceMs: DRAIN_MS, isReady: edgeReady });
    const { close } = edge;
    started.defer(() => close(...closing));
    Object.assign(addresses, edge.addresses);
  }
  log.info({ roles: config.roles, addresses }, 'the node has started');
  const all = started.move();
  return {
    roles: config.roles,
    addresses,
    onContained: metrics.containedError,
    async stop({ leavesNginx } = { leavesNginx: false }) {
      draining = true;
      log.info({ drainDelayMs: config.drainDelayMs }, 'the node drains');
      await delay(config.drainDelayMs);
      closing = [DRAIN_MS, leavesNginx];
      await all.disposeAsync();
      log.info({}, 'the node has stopped');
    },
  };
}

/** The values and the backend of a node without encryption keys. */
interface OutsideValues {
  edgeKeys: EncryptionKeys;
  replica: EdgeReplica;
  backend: EdgeBackend;
  beats: EdgeBeats;
  clock: Clock;
  /** The database's time; this machine's time until the database responds. */
  wallClock: Clock;
}

/** Opens the replica and its source. Waits at most two seconds for the source, which may be away. */
async function openValues(
  config: ServiceConfig,
  { nats, database }: { nats: OpenedNats | null; database: ReturnType<typeof openFollowed> | null },
  log: Log,
  started: AsyncDisposableStack,
  overrides: Pick<CompositionOverrides, 'clock'>,
): Promise<OutsideValues> {
  const edgeKeys = edgeRingOf(config);
  const box = createValueBox(edgeKeys, systemRandom);
  const { source, wallClock } =
    config.edgeSource === 'nats' ? natsSource(nats, started) : await postgresSource(database, log, started);
  const clock = overrides.clock ?? wallClock;
  const replica = await openEdgeReplica({ folder: config.edgeReplica, box, source, clock, log });
  started.defer(replica.close);
  const backend = createInnerBackend({ url: config.innerUrl, edgeKeys, box, clock, log });
  started.defer(backend.close);
  const beats =
    config.edgeSource === 'nats' && nats !== null
      ? createNatsBeats(nats, backend)
      : createStoredBeats(backend, log);
  return { edgeKeys, replica, backend, beats, clock, wallClock };
}

function natsSource(nats: OpenedNats | null, started: AsyncDisposableStack) {
  if (nats === null) throw new Error('NATS_URL is not set');
  const source = createNatsSource(nats, systemClock);
  started.defer(source.close);
  return { source, wallClock: source.clock };
}

async function postgresSource(
  database: ReturnType<typeof openFollowed> | null,
  log: Log,
  started: AsyncDisposableStack,
) {
  if (database === null) throw new Error('DATABASE_URL is not set');
  const patience = { machine: monotonicClock, log, patienceMs: CLOCK_PATIENCE_MS };
  const wallClock = await openDatabaseClock(database.store, patience);
  started.defer(wallClock.close);
  return { source: database.source, wallClock };
}

/** Opens the database that this node may only read. */
function openFollowed(config: ServiceConfig, log: Log, started: AsyncDisposableStack) {
  const { store, close } = openPostgresStore({
    connectionString: config.databaseUrl ?? '',
    connectionsMax: CONNECTIONS_MAX,
    statementTimeoutMs: config.statementTimeoutMs,
    onIdleError: (error) => log.warn({ error }, 'a connection to the database broke'),
  });
  started.defer(close);
  const notices = openPostgresNotices({
    connectionString: config.listenUrl ?? '',
    log,
    onGap: () => notices.publish({ kind: 'gap' }),
  });
  started.defer(notices.close);
  return { store, source: createPostgresSource(store, notices) };
}
