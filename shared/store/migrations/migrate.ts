import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { resetRestored } from '../commit-order.ts';
import { type DialectFlags, inTransaction, type Store } from '../store.ts';
import { initial } from './0001-initial.ts';
import { deliveryResponses } from './0002-delivery-responses.ts';
import { members } from './0003-members.ts';
import { billing } from './0004-billing.ts';
import { passkeys } from './0005-passkeys.ts';
import { planChoices } from './0006-plan-choices.ts';
import { revocations } from './0007-revocations.ts';
import { publicPaths } from './0008-public-paths.ts';
import { subscriberNews } from './0009-subscriber-news.ts';
import { brand } from './0010-brand.ts';
import { originProbes } from './0011-origin-probes.ts';
import { certificateHistory } from './0012-certificate-history.ts';
import { traffic } from './0013-traffic.ts';
import { ownership } from './0014-ownership.ts';
import { slidingWindows } from './0015-sliding-windows.ts';
import { commitOrder } from './0016-commit-order.ts';
import { openOrders } from './0017-open-orders.ts';
import { dueApps } from './0018-due-apps.ts';
import { boundedWork } from './0019-bounded-work.ts';
import { checkTimes } from './0020-check-times.ts';
import { holdMigrationLock } from './migration-lock.ts';

/** Migrations by name, in the order of the names. */
export type Migrations = Readonly<Record<string, (flags: DialectFlags) => Migration>>;

/** Every change of the schema, in order. A released migration is never edited. */
export const MIGRATIONS: Migrations = {
  '0001-initial': initial,
  '0002-delivery-responses': deliveryResponses,
  '0003-members': members,
  '0004-billing': billing,
  '0005-passkeys': passkeys,
  '0006-plan-choices': planChoices,
  '0007-revocations': revocations,
  '0008-public-paths': publicPaths,
  '0009-subscriber-news': subscriberNews,
  '0010-brand': brand,
  '0011-origin-probes': originProbes,
  '0012-certificate-history': certificateHistory,
  '0013-traffic': traffic,
  '0014-ownership': ownership,
  '0015-sliding-windows': slidingWindows,
  '0016-commit-order': commitOrder,
  '0017-open-orders': openOrders,
  '0018-due-apps': dueApps,
  '0019-bounded-work': boundedWork,
  '0020-check-times': checkTimes,
};

/** Thrown if a newer version has migrated the database. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/**
 * Brings the schema of a database without traffic up to date, in one transaction, and only in one process at a time.
 * @throws NewerDatabaseError if a newer version has migrated the database.
 */
export async function migrateSchema(store: Store): Promise<void> {
  if (store.flags.rowLocks && !store.inTransaction) return inTransaction(store, migrateSchema);
  if (store.flags.rowLocks) await holdMigrationLock(store.db);
  await refuseNewer(store, MIGRATIONS);
  const { error } = await migratorOf(store, MIGRATIONS).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
}

/**
 * Runs the next migration in the caller's transaction on Postgres, while nodes use the database. The migration waits at most 2 seconds for
 * a lock, because all queries of the table queue behind a waiting migration.
 * @returns the name of the migration; null if there was none to run.
 * @throws NewerDatabaseError as `migrateSchema` does, and the database's error, such as 55P03 (lock_not_available).
 */
export async function migrateNext(tx: Store, migrations: Migrations = MIGRATIONS): Promise<string | null> {
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

/** Returns the names of the migrations that the database still needs, in order. @throws NewerDatabaseError as `migrateSchema` does. */
export async function pendingMigrations(
  store: Store,
  migrations: Migrations = MIGRATIONS,
): Promise<string[]> {
  const done = await refuseNewer(store, migrations);
  return Object.keys(migrations).filter((name) => !done.includes(name));
}

function migratorOf(store: Store, migrations: Migrations): Migrator {
  const made = Object.entries(migrations).map(([name, make]) => [name, make(store.flags)]);
  return new Migrator({
    db: store.db,
    provider: { getMigrations: async () => Object.fromEntries(made) },
  });
}

/**
 * Throws if the database has a migration that this version does not have. Does not use Kysely's own check: it reads the columns of all tables
 * to see whether its own table exists, and each scrape of a node would repeat that.
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
  throw new NewerDatabaseError(`The database is newer than this version: it has the migration ${unknown}`);
}
