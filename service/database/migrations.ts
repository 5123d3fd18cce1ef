import { sql } from 'kysely';
import type { Log } from '../../shared/ports/log.ts';
import {
  migrateSchema,
  NewerDatabaseError,
  pendingMigrations,
} from '../../shared/store/migrations/migrate.ts';
import { holdMigrationLock } from '../../shared/store/migrations/migration-lock.ts';
import { inTransaction, type Store } from '../../shared/store/store.ts';
import { CommandError } from '../operator/command-error.ts';
import { openPostgresStore } from './postgres-store.ts';

/**
 * Runs the pending migrations in one transaction, without a time limit, and only one process at a time.
 * @param also more work for the same transaction. It receives the names of the migrations that ran.
 * @returns the names of the migrations that ran, in order.
 * @throws CommandError if the database is newer than this program.
 */
export async function migrateDatabase(
  connectionString: string,
  log: Log,
  also: (tx: Store, done: readonly string[]) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const { store, close } = openPostgresStore({
    connectionString,
    connectionsMax: 1,
    statementTimeoutMs: 0,
    onIdleError: (error) => log.warn({ error }, 'the connection for migrations broke'),
  });
  try {
    return await inTransaction(store, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx.db);
      await holdMigrationLock(tx.db);
      const pending = await readPending(tx);
      if (pending.length > 0) await explainNewerDatabase(() => migrateSchema(tx));
      await also(tx, pending);
      return pending;
    });
  } finally {
    await close();
  }
}

/** Checks that no migration is pending. @throws CommandError if one is, or if the database is newer than this program. */
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
  return explainNewerDatabase(() => pendingMigrations(store));
}

async function explainNewerDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw error;
    throw new CommandError(
      'database_too_new',
      `${error.message}.`,
      'Run the version of nameplate that migrated it, or a newer one.',
      error,
    );
  }
}
