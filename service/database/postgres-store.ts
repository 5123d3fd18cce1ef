import pg from 'pg';
import { openPostgres, POSTGRES_TYPES } from '../../shared/store/postgres.ts';
import type { Store } from '../../shared/store/store.ts';
import { CommittingClient } from './committing-client.ts';
import { createDatabaseSockets } from './database-sockets.ts';
import { sessionLimits } from './statement-timeout.ts';
import type { WaitingCommits } from './waiting-commits.ts';

/**
 * A node's store on Postgres, with a bounded pool. Each query ends soon after the statement timeout, even if the database does not respond.
 */
export interface PostgresStore {
  store: Store;
  pool: pg.Pool;
  /** Closes the pool. Running queries have 3 s to finish. */
  close(): Promise<void>;
}

export interface PostgresStoreOptions {
  connectionString: string;
  /** Size of the pool, 10 by default. */
  connectionsMax?: number;
  /** Time after which Postgres cancels a query, 10 s by default. 0 means no limit. */
  statementTimeoutMs?: number;
  /**
   * A connection is closed if the database sends nothing for this long. The default is the statement timeout plus 5 s. 0 means no limit,
   * which is the default without a statement timeout.
   */
  silenceMsMax?: number;
  /** Called when an idle connection breaks. The pool has dropped the connection, and opens a new one for the next query. */
  onIdleError: (error: Error) => void;
  /** Called with the error of each failed query. */
  onQueryError?: (error: unknown) => void;
  /** Tracks the waiting commits of the node. If absent, a COMMIT has only the statement timeout. */
  commits?: WaitingCommits;
}

const CONNECTIONS_MAX = 10;
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5000;
/** The time that a connection waits for a response beyond the statement timeout, for the round trip and for a slow cancellation. */
const ANSWER_MS = 5000;
const IDLE_MS = 10_000;

/** Opens a store, which connects when it sends its first query. Does not create the schema, which `service migrate` creates. */
export function openPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { statementTimeoutMs = STATEMENT_MS, onIdleError } = options;
  const patienceMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_MS;
  const silenceMsMax = options.silenceMsMax ?? patienceMs;
  const sockets = createDatabaseSockets(silenceMsMax);
  const pool = new pg.Pool({
    ...{ commits: options.commits },
    connectionString: options.connectionString,
    max: options.connectionsMax ?? CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    // Close idle connections before the silence limit treats them as broken.
    idleTimeoutMillis: silenceMsMax === 0 ? IDLE_MS : Math.min(IDLE_MS, silenceMsMax / 2),
    stream: sockets.open,
    types: POSTGRES_TYPES,
    // Send a statement without waiting for the results of earlier statements. Postgres runs them in the order of the calls.
    pipeline: true,
    Client: CommittingClient,
  });
  pool.on('connect', (client) => {
    // Set the limits by queries, because a pooler refuses them as startup parameters. For sessions behind a pooler, `statement-timeout.ts`
    // sets the limits.
    for (const [name, value] of Object.entries(sessionLimits(statementTimeoutMs)))
      client.query(`set ${name} = '${value}'`).catch(onIdleError);
  });
  // Without a listener, a restart of the database would end the process.
  pool.on('error', onIdleError);
  const store = openPostgres(pool, options.onQueryError);
  return { store, pool, close: () => sockets.close(async () => pool.ending || pool.end()) };
}
