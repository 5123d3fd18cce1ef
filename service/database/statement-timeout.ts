import { sql } from 'kysely';
import type pg from 'pg';
import type { Store } from '../../shared/store/store.ts';
import { CommandError } from '../operator/command-error.ts';

/**
 * After how long Postgres gives a query up. Every connection of a node says so when it is made; a pooler in transaction mode hands its
 * queries to sessions that never heard it, and refuses it as a start-up parameter. What holds there is the default of the role.
 */
export async function limitRole({ db }: Store, statement_timeout_ms: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(rows[0]?.name ?? '');
  // Its own role and this database: what anybody may change, and nobody else notices.
  await sql`alter role current_user in database ${database} set statement_timeout = ${sql.lit(statement_timeout_ms)}`.execute(
    db,
  );
}

interface Session {
  pid: number;
  /** What a session of this role begins with. */
  default_ms: number;
  role: string;
  database: string;
}

/** @throws CommandError where a pooler stands between, and its sessions would work on a query for longer than that. */
export async function checkStatementTimeout(pool: pg.Pool, statement_timeout_ms: number): Promise<void> {
  const client: pg.PoolClient & { processID?: number } = await pool.connect();
  try {
    const { rows } = await client.query<Session>(`
      select pg_backend_pid() as pid, reset_val::integer as default_ms, current_user as role, current_database() as database
      from pg_settings where name = 'statement_timeout'`);
    const session = rows[0];
    // The process that was promised when it connected: its own session, which was told.
    if (session === undefined || session.pid === client.processID) return;
    const { default_ms, role, database } = session;
    if (default_ms > 0 && default_ms <= statement_timeout_ms) return;
    throw new CommandError(
      'database_without_timeout',
      `DATABASE_URL leads through a pooler to sessions whose statement_timeout is ${default_ms} ms, not ${statement_timeout_ms} ms.`,
      `Run nameplate service migrate with DATABASE_LISTEN_URL past the pooler (or, on the database: alter role "${role}" in database "${database}" set statement_timeout = ${statement_timeout_ms}), then RECONNECT in the pooler's console.`,
    );
  } finally {
    client.release();
  }
}
