import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { type DialectFlags, inTransaction, type Store } from '../store.ts';
import { initial } from './0001-initial.ts';
import { holdMigrationLock } from './migration-lock.ts';

/** Every change of the schema, in order. One that has been released is never edited again. */
const MIGRATIONS: Record<string, (flags: DialectFlags) => Migration> = {
  '0001-initial': initial,
};

/** The database was migrated by newer code than this. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/**
 * Brings the schema up to date; does nothing where it is. On Postgres in one transaction, one process at a time.
 * @throws NewerDatabaseError.
 */
export async function migrate(store: Store): Promise<void> {
  if (store.flags.row_locks && !store.in_transaction) return inTransaction(store, migrate);
  if (store.flags.row_locks) await holdMigrationLock(store.db);
  await refuseNewer(store);
  const { error } = await migratorOf(store).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
}

/** The migrations that this code has and the database has not, in order. @throws as `migrate`. */
export async function pendingMigrations(store: Store): Promise<string[]> {
  await refuseNewer(store);
  const all = await migratorOf(store).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

function migratorOf(store: Store): Migrator {
  const migrations = Object.entries(MIGRATIONS).map(([name, make]) => [name, make(store.flags)]);
  return new Migrator({
    db: store.db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  });
}

/** What a migration did that this code has never seen, it cannot know. */
async function refuseNewer({ db }: Store): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const done = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    db,
  );
  const unknown = done.rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown === undefined) return;
  throw new NewerDatabaseError(
    `The database is newer than this version of the program: it has the migration ${unknown.name}`,
  );
}
