import { sql } from 'kysely';
import { monotonicClock } from '../../shared/adapters/system.ts';
import type { KeyStores } from '../../shared/operations/accounts/authenticate.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Store } from '../../shared/store/store.ts';
import { CommandError } from '../commands/operator/command-error.ts';
import type { ServiceConfig } from '../config.ts';
import { keyRings } from '../settings/key-rings.ts';
import type { EncryptionKeys } from '../settings/setting-kinds.ts';
import { type CommitWatch, watchCommits } from './commit-watch.ts';
import { CONNECT_PAGES, NODE_WORK, poolTurns, singleTurns } from './database-shares.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';
import { type PoolShares, sharedPool } from './shared-pool.ts';
import { checkStatementTimeout } from './statement-timeout.ts';
import { createWaitingCommits } from './waiting-commits.ts';
import { createWriteWatch, probeWrites, type WriteWatch } from './write-watch.ts';

/** The open database of a deployment, with the keys that encrypt its secrets. */
export interface Database {
  /** Store for the node's own work. */
  store: Store;
  /** One store for each app, for its API requests. It uses at most the share of connections that one app may take. */
  shares: KeyStores;
  /** The store for the connect pages. All connect pages together may use as many connections as one account. */
  connectStore: Store;
  /** One store for each account, for the connect pages at the white-label hosts of its apps. */
  hostStore(accountId: string): Store;
  /** Store for health checks. It has a reserved connection, so it works while all other connections are in use. */
  healthStore: Store;
  /** Store for the edge. It has a small pool of its own, so that visitors and the API do not take each other's connections. */
  edgeStore: Store;
  /** Store for the follower of the replica. It has a pool of its own, so that visitor requests never delay changes. */
  feedStore: Store;
  /** Address of the database for LISTEN, NOTIFY and migrations. It bypasses the pooler if there is one. */
  directUrl: string;
  keys: EncryptionKeys;
  /** The keys that seal the values from which edges serve. */
  edgeKeys: EncryptionKeys;
  /** Tracks whether the database accepts writes. */
  writes: WriteWatch;
  /** Tracks whether the database commits transactions. */
  commits: CommitWatch;
  /**
   * Checks the statement timeout that is in effect in the database's sessions.
   *
   * @throws CommandError if queries could run longer than configured.
   */
  checkTimeout(): Promise<void>;
  close(): Promise<void>;
}

const POSTGRES_VERSION_MIN = 15;
/** The follower of the replica reads one page after the other. */
const FEED_CONNECTIONS = 1;
/**
 * Reserved connections: one each for health checks, the watch of commits, requests with an API key that this node knows, and requests with
 * an unknown key.
 */
const RESERVED_CONNECTIONS = 4;

/**
 * Opens `DATABASE_URL`, or else the embedded Postgres of the data folder. Runs no migrations.
 * @throws CommandError if the database does not respond, or is older than Postgres 15.
 */
export async function openDatabase(config: ServiceConfig, log: Log): Promise<Database> {
  const embedded = config.databaseUrl === null ? await openEmbeddedDatabase(config.dataDir) : null;
  const url = config.databaseUrl ?? embedded?.url ?? '';
  const { statementTimeoutMs } = config;
  const writes = createWriteWatch({ probe: () => probeWrites(database.store), log });
  const waiting = createWaitingCommits(Math.floor(config.connectionsMax * 0.8));
  const failed = (error: unknown): void => {
    writes.failed(error);
    commits.failed(error);
  };
  const open = (connectionsMax: number): PostgresStore =>
    openPostgresStore({
      connectionString: url,
      connectionsMax,
      statementTimeoutMs,
      onIdleError: (error) =>
        log.warn({ error }, 'an idle database connection broke; the pool will replace it'),
      onQueryError: failed,
      commits: waiting,
    });
  const own = open(config.connectionsMax);
  const edge = open(config.edgeConnectionsMax);
  const feed = open(FEED_CONNECTIONS);
  const reserve = open(RESERVED_CONNECTIONS);
  const shared = (shares: PoolShares, spare?: PoolShares) => sharedPool(shares, failed, spare);
  const main = { pool: own.pool, turns: poolTurns(config.connectionsMax, config.roles.includes('api')) };
  /** Returns the pool of reserved connections, with turns for one connection. */
  const reserved = () => ({ pool: reserve.pool, turns: singleTurns() });
  const ofParty = shared(main);
  const healthStore = shared(reserved())(NODE_WORK);
  const commits = watchCommits({
    store: shared(reserved())(NODE_WORK),
    observer: healthStore,
    commits: waiting,
    machine: monotonicClock,
    log,
    docs: `${config.settings.docsUrl}/deploying-postgres#what-a-failover-can-lose`,
  });
  const database: Database = {
    store: ofParty(NODE_WORK),
    shares: {
      ofAccount: ofParty,
      knownKeys: shared(main, reserved()),
      unknownKeys: shared(reserved()),
    },
    connectStore: ofParty(CONNECT_PAGES),
    hostStore: (accountId) => ofParty(`${CONNECT_PAGES} ${accountId}`),
    healthStore,
    edgeStore: edge.store,
    feedStore: feed.store,
    directUrl: config.listenUrl ?? url,
    ...keyRings(config),
    checkTimeout: () => checkStatementTimeout(own.pool, statementTimeoutMs),
    writes,
    commits,
    async close() {
      writes.close();
      commits.close();
      await Promise.all([own, edge, feed, reserve].map((pool) => pool.close()));
      await embedded?.close();
    },
  };
  try {
    await checkVersion(database.store);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function checkVersion(store: Store): Promise<void> {
  const version = await readVersion(store);
  if (version >= POSTGRES_VERSION_MIN) return;
  throw new CommandError(
    'database_too_old',
    `The database is Postgres ${version}.`,
    `Upgrade it to Postgres ${POSTGRES_VERSION_MIN} or newer, or set DATABASE_URL to a newer one.`,
  );
}

async function readVersion(store: Store): Promise<number> {
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version_num') as version`.execute(store.db);
    return Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
  } catch (cause) {
    throw new CommandError(
      'database_unavailable',
      `The database does not respond: ${reasonOf(cause)}`,
      'Check DATABASE_URL, and that the server is running and accepts connections from this machine.',
      cause,
    );
  }
}

/** Describes an error. A failed connection to a host with several addresses throws an `AggregateError` with an empty message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
