import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { resetRestored } from '../commit-order.ts';
import {
  autocommit,
  type DialectFlags,
  inTransaction,
  isTransaction,
  type Store,
  type Tx,
} from '../store.ts';
import { INITIAL_NAME, initial } from './initial.ts';

/** Migrations by name, in the order of the names. */
export type Migrations = Readonly<Record<string, (flags: DialectFlags) => Migration>>;

/**
 * Every change of the schema, in order. Until 1.0.0-rc.1, a change of the schema edits the first migration. From then on, a released
 * migration is never edited.
 */
export const MIGRATIONS: Migrations = { [INITIAL_NAME]: initial };

/** Thrown if a newer version has migrated the database. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** Thrown if a preview version created the database with a different first schema. */
export class OtherSchemaError extends Error {
  override name = 'OtherSchemaError';
  readonly code = 'database_unusable';
}

/**
 * Runs all pending migrations in one transaction, while no node uses the database. Only one process at a time can do this.
 * @throws NewerDatabaseError if a newer version has migrated the database, OtherSchemaError if a preview with another schema created it.
 */
export async function migrateSchema(store: Store): Promise<void> {
  if (store.flags.rowLocks && !isTransaction(store)) return inTransaction(store, migrateSchema);
  if (store.flags.rowLocks) await holdMigrationLock(store.db);
  await refuseNewer(store, MIGRATIONS);
  const { error } = await migratorOf(autocommit(store), MIGRATIONS).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
}

/**
 * Creates the schema of a new SQLite database in memory. It records no migrations, because no later process opens the database. With
 * Kysely's migrator, this would take 8 ms more of each emulator's start.
 */
export async function createSchema(store: Store): Promise<void> {
  await inTransaction(store, async (tx) => {
    for (const migration of Object.values(MIGRATIONS)) await migration(tx.flags).up(tx.db);
  });
}

/**
 * Runs the next migration in the caller's transaction on Postgres, while nodes use the database. The migration waits at most 2 seconds for
 * a lock, because all queries of a table have to wait behind a waiting migration.
 * @returns the name of the migration; null if there was none to run.
 * @throws NewerDatabaseError, OtherSchemaError (`migrateSchema`), and the database's error, such as 55P03 (lock_not_available).
 */
export async function migrateNext(tx: Tx, migrations: Migrations = MIGRATIONS): Promise<string | null> {
  await holdMigrationLock(tx.db);
  const [next] = await pendingMigrations(tx, migrations);
  if (next === undefined) {
    await resetRestored(tx);
    return null;
  }
  const { error } = await migratorOf(tx, migrations).migrateUp();
  if (error !== undefined) throw new Error(`The migration ${next} failed`, { cause: error });
  return next;
}

/** Returns the names of the migrations that the database still needs, in order. @throws NewerDatabaseError, OtherSchemaError */
export async function pendingMigrations(
  store: Store,
  migrations: Migrations = MIGRATIONS,
): Promise<string[]> {
  const done = await refuseNewer(store, migrations);
  return Object.keys(migrations).filter((name) => !done.includes(name));
}

function migratorOf(tx: Tx, migrations: Migrations): Migrator {
  const made = Object.entries(migrations).map(([name, make]) => [name, make(tx.flags)]);
  return new Migrator({
    db: tx.db,
    provider: { getMigrations: async () => Object.fromEntries(made) },
  });
}

/**
 * Throws if the database has a migration that this version does not have. Does not use the check of Kysely, which reads the columns of all
 * tables to find out whether its own table exists. Each metrics scrape of a node would repeat those reads.
 * @returns the names of the migrations that the database has.
 */
async function refuseNewer({ db, flags }: Store, migrations: Migrations): Promise<string[]> {
  const table = sql.lit(DEFAULT_MIGRATION_TABLE);
  const exists = flags.rowLocks
    ? sql`select 1 where to_regclass(${table}) is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${table}`;
  if ((await exists.execute(db)).rows.length === 0) return [];
  const done = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    db,
  );
  const names = done.rows.map(({ name }) => name);
  const unknown = names.find((name) => !Object.hasOwn(migrations, name));
  if (unknown === undefined) return names;
  if (!names.includes(INITIAL_NAME))
    throw new OtherSchemaError(
      'A preview of Nameplate created the database, with a schema that this version cannot update',
    );
  throw new NewerDatabaseError(`The database is newer than this version: it has the migration ${unknown}`);
}

/** The key of the lock: an arbitrary number that all versions share, so that only one process migrates at a time. */
const MIGRATION_LOCK = 4_500_450_145;

/**
 * Takes the migration lock until the transaction ends. A process that had to wait for this lock then reads the finished migrations. The
 * transaction waits at most 2 seconds for any other lock.
 */
export async function holdMigrationLock(db: QueryExecutorProvider): Promise<void> {
  await sql`set local lock_timeout = 0`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
  await sql`set local lock_timeout = '2s'`.execute(db);
}

/**
 * Takes the migration lock for the transaction. Kysely would take it for the session: such a lock would be released before the commit, and
 * would remain after a failure if a pooler keeps the session.
 */
export class TransactionLockAdapter extends PostgresAdapter {
  override acquireMigrationLock(db: QueryExecutorProvider): Promise<void> {
    return holdMigrationLock(db);
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction releases the lock.
  }
}
