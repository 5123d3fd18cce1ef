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
import { holdMigrationLock } from './migration-lock.ts';

/** Every change of the schema, in order. A released migration is never edited. */
const MIGRATIONS: Record<string, (flags: DialectFlags) => Migration> = {
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
};

/** Thrown if a newer version has migrated the database. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/**
 * Brings the schema up to date. On Postgres, it runs in one transaction, and only in one process at a time.
 * @throws NewerDatabaseError if a newer version has migrated the database.
 */
export async function migrateSchema(store: Store): Promise<void> {
  if (store.flags.rowLocks && !store.inTransaction) return inTransaction(store, migrateSchema);
  if (store.flags.rowLocks) await holdMigrationLock(store.db);
  await refuseNewer(store);
  const { error } = await migratorOf(store).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
  await resetRestored(store);
}

/** Returns the migrations that the database still needs, in order. @throws NewerDatabaseError as `migrateSchema` does. */
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

/** Refuses a database with a migration that this version does not have. */
async function refuseNewer({ db }: Store): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const done = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    db,
  );
  const unknown = done.rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown === undefined) return;
  throw new NewerDatabaseError(
    `The database is newer than this version: it has the migration ${unknown.name}`,
  );
}
