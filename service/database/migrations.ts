import { sql } from 'kysely';
import { type Log, pause } from '../../shared/ports/system.ts';
import {
  type Migrations,
  migrateNext,
  NewerDatabaseError,
  OtherSchemaError,
  pendingMigrations,
} from '../../shared/store/migrations/migrate.ts';
import { inTransaction, type Store, type Tx } from '../../shared/store/store.ts';
import { CommandError } from '../commands/operator/command-error.ts';
import { openPostgresStore } from './postgres-store.ts';

/** The maximum number of tries while another session has a lock that a migration needs, and the pause between two tries. */
const TRIES_MAX = 100;
const PAUSE_MS = 3000;

export interface MigrateOptions {
  connectionString: string;
  log: Log;
  /**
   * Extra work in each migration's transaction. It receives the name of the migration, and null in the transaction after the last
   * migration.
   */
  also?: (tx: Tx, done: string | null) => Promise<void>;
  migrations?: Migrations;
  pauseMs?: number;
}

/**
 * Runs the pending migrations, each in a transaction without a time limit, and only one process at a time. While a migration waits for a
 * lock, all queries of the table wait behind it. The migration therefore gives up after 2 seconds and tries again later.
 * @returns the names of the migrations that ran, in order.
 * @throws CommandError if the database is newer than this program, has the schema of a preview version, or stays locked for more than five
 * minutes.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const { connectionString, log, also = async () => undefined, migrations, pauseMs = PAUSE_MS } = options;
  const { store, close } = openPostgresStore({
    connectionString,
    connectionsMax: 1,
    statementTimeoutMs: 0,
    onIdleError: (error) => log.warn({ error }, 'the connection for migrations broke'),
  });
  const done: string[] = [];
  try {
    for (let tries = 1; ; tries++) {
      try {
        const next = await inTransaction(store, async (tx) => {
          await sql`set local statement_timeout = 0`.execute(tx.db);
          const name = await explainRefusal(() => migrateNext(tx, migrations));
          await also(tx, name);
          return name;
        });
        if (next === null) return done;
        done.push(next);
        tries = 0;
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (tries === TRIES_MAX) throw lockHeld(error);
        log.warn(
          { error },
          'another session, such as a dump, holds a lock that the migration needs; trying again',
        );
        await pause(pauseMs);
      }
    }
  } finally {
    await close();
  }
}

/** Returns true if a migration could not get a lock in time: SQLSTATE 55P03, lock_not_available. */
function isLockTimeout(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && each.code === '55P03') return true;
  return false;
}

function lockHeld(cause: unknown): CommandError {
  return new CommandError(
    'database_locked',
    'Another session has held a lock that the migration needs for more than five minutes.',
    "Wait until dumps and long transactions have ended (on the database: select pid, query from pg_stat_activity where xact_start < now() - interval '1 minute'), then run the command again.",
    cause,
  );
}

/** Checks that no migration is pending. @throws CommandError if a migration is pending, or if this program cannot use the database. */
export async function checkMigrated(store: Store): Promise<void> {
  const pending = await readPending(store);
  if (pending.length === 0) return;
  throw new CommandError(
    'database_not_migrated',
    `The database is missing migrations: ${pending.join(', ')}.`,
    'Run: nameplate service migrate',
  );
}

/** Returns the names of pending migrations. */
function readPending(store: Store): Promise<string[]> {
  return explainRefusal(() => pendingMigrations(store));
}

async function explainRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OtherSchemaError) {
      const fix = 'Run the version that created it, or create a new database.';
      throw new CommandError('database_of_preview', `${error.message}.`, fix, error);
    }
    if (!(error instanceof NewerDatabaseError)) throw error;
    throw new CommandError(
      'database_too_new',
      `${error.message}.`,
      'Run the version of nameplate that migrated it, or a newer one.',
      error,
    );
  }
}
