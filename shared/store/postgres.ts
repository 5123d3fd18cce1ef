import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

const INT8_OID = 20;

export interface PostgresOptions {
  connection_string: string;
  /** Connections of the pool at most. */
  connections_max?: number;
  statement_timeout_ms?: number;
  /** Told when a connection breaks while nobody uses it. The pool has dropped it; the next query makes a new one. */
  on_idle_error: (error: Error) => void;
}

/** Opens a store on Postgres 15 or newer. The schema is `migrate`'s. Connects with the first query. */
export function openPostgres(options: PostgresOptions): Store {
  const pool = new pg.Pool({
    connectionString: options.connection_string,
    max: options.connections_max ?? 10,
    connectionTimeoutMillis: 5_000,
    types: {
      // Instants are milliseconds in bigint, which a double holds exactly for the next 285 000 years.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // Not as a start-up parameter, which a pooler refuses; every node sets the same, so a shared connection is no matter.
  pool.on('connect', (client) => {
    // The pool listens to idle connections only. One that breaks between two queries of a transaction would end the process; the
    // next query on it is what fails.
    client.on('error', () => undefined);
    client
      .query(`set statement_timeout = ${options.statement_timeout_ms ?? 10_000}`)
      .catch(options.on_idle_error);
  });
  // Without a listener, a restart of the database would end the process.
  pool.on('error', options.on_idle_error);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    flags: { row_locks: true, text_type: 'text collate "C"', json_records: true },
    in_transaction: false,
  };
}
