import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../shared/ports/system.ts';
import type { ServiceConfig } from '../config.ts';
import { openPostgresStore, type PostgresStore } from '../database/postgres-store.ts';
import { createAdminServer } from '../health/admin-server.ts';
import { countConnectionErrors } from '../health/connection-errors.ts';
import { createMetrics } from '../health/metrics.ts';
import { watchPauses } from '../health/pause-watch.ts';
import { NOT_USED, type NodeState } from '../health/readiness.ts';
import { closeServer, listen } from '../listening.ts';
import { DRAIN_MS, type ServiceNode } from '../node.ts';
import { agreedSettings } from '../settings/agreed-settings.ts';
import { configurationWarnings } from '../settings/configuration-warnings.ts';
import { startDns } from './start-dns.ts';

/** Returns true if a node has only the role `dns`, which works without a database. */
export function isDnsNode({ roles }: Pick<ServiceConfig, 'roles'>): boolean {
  return roles.every((role) => role === 'dns');
}

/**
 * Starts a node that has only the role `dns`. The node starts and answers even while Postgres is unavailable, because visitors of every app
 * depend on its answers. Only the answers to challenges come from the database.
 */
export async function startDnsNode(
  config: ServiceConfig,
  log: Log,
): Promise<Pick<ServiceNode, 'roles' | 'addresses' | 'onContained' | 'stop'>> {
  const metrics = createMetrics();
  const connectionErrors = countConnectionErrors(metrics, log);
  let draining = false;
  let isListening = false;
  const state = (): NodeState => ({
    ready: isListening && !draining,
    draining,
    database: NOT_USED,
    migrations: NOT_USED,
    backlog: null,
    certificate_left_s: null,
    resolvers: NOT_USED,
    checks: {},
    configuration_warnings: configurationWarnings(config),
    settings: agreedSettings(config),
    edge_engine: null,
    edge_http_url: null,
  });
  const admin = createAdminServer({
    readiness: async () => state(),
    edgeReady: () => ({ ready: false }),
    dnsReady: () => ({ ready: state().ready }),
    metrics: () => metrics.text(state(), null),
    onConnectionError: connectionErrors('admin'),
  });
  const database = challengeDatabase(config, log);
  const adminAddress = await listen(admin, config.admin);
  watchPauses(log, admin);
  try {
    const parts = { store: database?.store ?? null, log, metrics: metrics.dns };
    const dns = await startDns(config, { ...parts, onError: connectionErrors('dns') });
    isListening = true;
    const addresses = { admin: adminAddress, dns: dns.addresses };
    log.info({ roles: config.roles, addresses }, 'the node has started');
    return {
      roles: config.roles,
      addresses,
      onContained: metrics.containedError,
      async stop() {
        draining = true;
        log.info({ drainDelayMs: config.drainDelayMs }, 'the node drains');
        await delay(config.drainDelayMs);
        await dns.close(DRAIN_MS);
        await database?.close();
        await closeServer(admin, 0);
        log.info({}, 'the node has stopped');
      },
    };
  } catch (error) {
    await database?.close();
    await closeServer(admin, 0);
    throw error;
  }
}

/**
 * Opens the database to read challenges. Connects at the first read. Returns null with an embedded database, because no other node writes
 * challenges to it.
 */
function challengeDatabase({ databaseUrl }: ServiceConfig, log: Log): PostgresStore | null {
  if (databaseUrl === null) return null;
  const onIdleError = (error: Error) => log.warn({ error }, 'the connection to the database was lost');
  return openPostgresStore({ connectionString: databaseUrl, connectionsMax: 1, onIdleError });
}
