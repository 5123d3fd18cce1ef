import { sql } from 'kysely';
import type { Log } from '../../shared/ports/log.ts';
import { migrate, NewerDatabaseError, pendingMigrations } from '../../shared/store/migrations/migrate.ts';
import { holdMigrationLock } from '../../shared/store/migrations/migration-lock.ts';
import { inTransaction, type Store } from '../../shared/store/store.ts';
import { CommandError } from '../operator/command-error.ts';
import { openPostgresStore } from './postgres-store.ts';

/**
 * Brings the database up to this program, in one transaction that may take as long as it takes, one process at a time.
 * @param also what else belongs into that transaction; told what was done.
 * @returns what was done, in order. @throws CommandError where the database is newer than this program.
 */
export async function migrateDatabase(
  connection_string: string,
  log: Log,
  also: (tx: Store, done: readonly string[]) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const { store, close } = openPostgresStore({
    connection_string,
    connections_max: 1,
    statement_timeout_ms: 0,
    on_idle_error: (error) => log.warn({ error }, 'the connection for migrations broke'),
  });
  try {
    return await inTransaction(store, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx.db);
      await holdMigrationLock(tx.db);
      const pending = await readPending(tx);
      if (pending.length > 0) await tellingTooNew(() => migrate(tx));
      await also(tx, pending);
      return pending;
    });
  } finally {
    await close();
  }
}

/** @throws CommandError where the database is not migrated to this program. */
export async function checkMigrated(store: Store): Promise<void> {
  const pending = await readPending(store);
  if (pending.length === 0) return;
  throw new CommandError(
    'database_not_migrated',
    `The database lacks ${pending.join(', ')}.`,
    'Run: nameplate service migrate',
  );
}

/** The database's migrations against this program's, in words for whoever operates it. */
function readPending(store: Store): Promise<string[]> {
  return tellingTooNew(() => pendingMigrations(store));
}

async function tellingTooNew<T>(work: () => Promise<T>): Promise<T> {
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
