import { type Migration, Migrator } from 'kysely/migration';
import { initial } from './migrations/0001-initial.ts';
import type { DialectFlags, Store } from './store.ts';

/** Every change of the schema, in order. One that has been released is never edited again. */
const MIGRATIONS: Record<string, (flags: DialectFlags) => Migration> = {
  '0001-initial': initial,
};

/**
 * Brings the schema up to date; does nothing where it is.
 * @throws when the database was migrated by newer code than this.
 */
export async function migrate(store: Store): Promise<void> {
  const migrator = new Migrator({
    db: store.db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(MIGRATIONS).map(([name, make]) => [name, make(store.flags)])),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated', { cause: error });
}
