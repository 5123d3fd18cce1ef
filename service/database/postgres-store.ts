import pg from 'pg';
import { openPostgres, POSTGRES_TYPES } from '../../shared/store/postgres.ts';
import type { Store } from '../../shared/store/store.ts';
import { createDatabaseSockets } from './database-sockets.ts';

/** A node's store on Postgres, over a bounded pool. No query waits much longer than Postgres may work on it. */
export interface PostgresStore {
  store: Store;
  pool: pg.Pool;
  /** Closes the pool. Running queries have 3 s to finish. */
  close(): Promise<void>;
}

export interface PostgresStoreOptions {
  connection_string: string;
  /** Size of the pool, 10 by default. */
  connections_max?: number;
  /** Time after which Postgres cancels a query, 10 s by default. 0: no limit. */
  statement_timeout_ms?: number;
  /**
   * Longest silence of the database before a connection is given up. By default 5 s more than the statement timeout. 0: no limit, also the
   * default without a statement timeout.
   */
  silence_ms_max?: number;
  /** Called when an idle connection breaks. The pool has dropped it, and opens a new one for the next query. */
  on_idle_error: (error: Error) => void;
  /** Called with the error of each failed query. */
  on_query_error?: (error: unknown) => void;
}

const CONNECTIONS_MAX = 10;
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5000;
/** Time for the round trip, and for a server that is slow to cancel. */
const ANSWER_MS = 5000;
const IDLE_MS = 10_000;

/** Opens a store that connects with its first query. It does not create the schema; `service migrate` does. */
export function openPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { statement_timeout_ms = STATEMENT_MS, on_idle_error } = options;
  const patienceMs = statement_timeout_ms === 0 ? 0 : statement_timeout_ms + ANSWER_MS;
  const silenceMsMax = options.silence_ms_max ?? patienceMs;
  const sockets = createDatabaseSockets(silenceMsMax);
  const pool = new pg.Pool({
    connectionString: options.connection_string,
    max: options.connections_max ?? CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    // The pool closes idle connections in order before their silence looks like a failure.
    idleTimeoutMillis: silenceMsMax === 0 ? IDLE_MS : Math.min(IDLE_MS, silenceMsMax / 2),
    stream: sockets.open,
    types: POSTGRES_TYPES,
  });
  pool.on('connect', (client) => {
    // The pool handles errors of idle connections only. Without this listener, a connection that breaks between two queries of a
    // transaction would end the process. The next query on it fails instead.
    client.on('error', () => undefined);
    // Set by a query, because a pooler refuses it as a startup parameter. `statement-timeout.ts` handles poolers.
    client.query(`set statement_timeout = ${statement_timeout_ms}`).catch(on_idle_error);
  });
  // Without a listener, a restart of the database would end the process.
  pool.on('error', on_idle_error);
  const store = openPostgres(pool, options.on_query_error);
  return { store, pool, close: () => sockets.close(async () => pool.ending || pool.end()) };
}
