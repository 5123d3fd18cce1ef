import { migrate, NewerDatabaseError, pendingMigrations } from '../shared/store/migrate.ts';
import type { Store } from '../shared/store/store.ts';
import { CommandError } from './command-error.ts';

/** The database's migrations against this program's, in words for whoever operates it. */
export async function readPending(store: Store): Promise<string[]> {
  return tellingTooNew(() => pendingMigrations(store));
}

/** @returns what was done, in order. @throws CommandError where the database is newer than this program. */
export async function migrateDatabase(store: Store): Promise<string[]> {
  const pending = await readPending(store);
  if (pending.length > 0) await tellingTooNew(() => migrate(store));
  return pending;
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
