import { sql } from 'kysely';
import type pg from 'pg';
import type { Store } from '../../shared/store/store.ts';
import { CommandError } from '../commands/operator/command-error.ts';

/**
 * Returns the Postgres settings of each session, by name. A node that vanishes during a transaction leaves its rows locked. With these
 * settings, the server waits at most 15 seconds for the next statement or for the network, and then ends the transaction.
 */
export function sessionLimits(statementTimeoutMs: number): Record<string, string> {
  return {
    statement_timeout: `${statementTimeoutMs}`,
    // Receive warnings: Postgres sends one with the success of a commit whose wait for a standby was canceled.
    client_min_messages: 'warning',
    idle_in_transaction_session_timeout: '15s',
    // All our statements read few rows, so JIT compilation would take far longer than running them. For a large table, the planner might
    // still choose JIT compilation.
    jit: 'off',
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '2',
    tcp_user_timeout: '15s',
  };
}

/**
 * Sets the session limits as defaults of the current role in this database. A node also sets them on each connection, but this has no
 * effect behind a pooler in transaction mode, because the queries run in other sessions. Sessions behind a pooler use the role's defaults.
 */
export async function limitRole({ db }: Store, statementTimeoutMs: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]?.name ?? '');
  // Change only the current role in this database, which needs no privilege and affects no other user.
  for (const [name, value] of Object.entries(sessionLimits(statementTimeoutMs)))
    await sql`alter role current_user in database ${database} set ${sql.id(name)} = ${sql.lit(value)}`.execute(
      db,
    );
}

interface Session {
  pid: number;
  /** The default timeout of the role's new sessions in milliseconds. 0 means no limit. */
  default_ms: number;
  role: string;
  database: string;
}

/**
 * Checks that the statement timeout of sessions behind a pooler is not longer than the configured timeout.
 *
 * @throws CommandError if the sessions have a longer timeout, or none.
 */
export async function checkStatementTimeout(pool: pg.Pool, statementTimeoutMs: number): Promise<void> {
  const client: pg.PoolClient & { processID?: number } = await pool.connect();
  try {
    const { rows } = await client.query<Session>(`
      select pg_backend_pid() as pid, reset_val::integer as default_ms, current_user as role, current_database() as database
      from pg_settings where name = 'statement_timeout'`);
    const session = rows[0];
    // If the session has the process id that was announced on connect, there is no pooler, and the session has the node's timeout.
    if (session === undefined || session.pid === client.processID) return;
    const { default_ms: defaultMs, role, database } = session;
    if (defaultMs > 0 && defaultMs <= statementTimeoutMs) return;
    throw new CommandError(
      'database_without_timeout',
      `DATABASE_URL goes through a pooler, and sessions behind it have a statement_timeout of ${defaultMs} ms instead of ${statementTimeoutMs} ms.`,
      `Run nameplate service migrate with a DATABASE_LISTEN_URL that bypasses the pooler (or, on the database: alter role "${role}" in database "${database}" set statement_timeout = ${statementTimeoutMs}), then RECONNECT in the pooler's console.`,
    );
  } finally {
    client.release();
  }
}
