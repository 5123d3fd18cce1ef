import pg from 'pg';
import { openPostgres, POSTGRES_TYPES } from '../../shared/store/postgres.ts';
import type { Store } from '../../shared/store/store.ts';
import { createDatabaseSockets } from './database-sockets.ts';

/** The store of a node: on Postgres, over a bounded pool, no query of which waits for longer than Postgres may work on it. */
export interface PostgresStore {
  store: Store;
  pool: pg.Pool;
  /** What is under way has 3 s. */
  close(): Promise<void>;
}

export interface PostgresStoreOptions {
  connection_string: string;
  /** 10 by default. */
  connections_max?: number;
  /** After this Postgres gives a query up, by default 10 s; 0: never. */
  statement_timeout_ms?: number;
  /** After this without a word from the database its connection is given up; by default 5 s after Postgres gives up, 0 with it. */
  silence_ms_max?: number;
  /** Told when a connection breaks while nobody uses it. The pool has dropped it; the next query makes a new one. */
  on_idle_error: (error: Error) => void;
  /** Called with the error of each failed query. */
  on_query_error?: (error: unknown) => void;
}

const CONNECTIONS_MAX = 10;
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5000;
/** For the way there and back, and a server that is slow to give up. */
const ANSWER_MS = 5000;
const IDLE_MS = 10_000;

/** Connects with the first query. The schema is `service migrate`'s. */
export function openPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { statement_timeout_ms = STATEMENT_MS, on_idle_error } = options;
  const patience_ms = statement_timeout_ms === 0 ? 0 : statement_timeout_ms + ANSWER_MS;
  const silence_ms_max = options.silence_ms_max ?? patience_ms;
  const sockets = createDatabaseSockets(silence_ms_max);
  const pool = new pg.Pool({
    connectionString: options.connection_string,
    max: options.connections_max ?? CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS,
    // The pool ends who is idle in order, before its silence looks like a failure.
    idleTimeoutMillis: silence_ms_max === 0 ? IDLE_MS : Math.min(IDLE_MS, silence_ms_max / 2),
    stream: sockets.open,
    types: POSTGRES_TYPES,
  });
  pool.on('connect', (client) => {
    // The pool listens to idle connections only. One that breaks between two queries of a transaction would end the process; the
    // next query on it is what fails.
    client.on('error', () => undefined);
    // Not as a start-up parameter, which a pooler refuses: `statement-timeout.ts` sees to those.
    client.query(`set statement_timeout = ${statement_timeout_ms}`).catch(on_idle_error);
  });
  // Without a listener, a restart of the database would end the process.
  pool.on('error', on_idle_error);
  const store = openPostgres(pool, options.on_query_error);
  return { store, pool, close: () => sockets.close(async () => pool.ending || pool.end()) };
}
