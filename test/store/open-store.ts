import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import { autocommit, type Store, type Tx } from '../../shared/store/store.ts';

/** A store on a new, empty database. Disposing it closes the store and deletes the database. */
export interface OpenedStore extends AsyncDisposable {
  store: Store;
}

export type OpenStore = () => Promise<OpenedStore>;

/** Opens one migrated store for a group of tests, and empties it before each test. */
export function migratedStore(open: OpenStore): () => Tx {
  let opened: OpenedStore;
  let names: string[];
  beforeAll(async () => {
    opened = await open();
    await migrateSchema(opened.store);
    names = await tableNames(opened.store);
  });
  beforeEach(() => emptyTables(opened.store, names));
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return () => autocommit(opened.store);
}

/** Returns the names of the schema's tables, without the tables of the migrator and SQLite's counter `commit_order`. */
export async function tableNames(store: Store): Promise<string[]> {
  const tables = await store.db.introspection.getTables();
  return tables.flatMap(({ name }) => (name === 'commit_order' ? [] : name)).sort();
}

/** Deletes all rows. On Postgres, one statement empties all tables, because forty statements take longer than most tests. */
export async function emptyTables({ db, flags }: Store, names: readonly string[]): Promise<void> {
  const deletions = names.map((name) => sql`delete from ${sql.table(name)}`);
  if (flags.rowLocks) {
    const parts = deletions.map((deletion, index) => sql`${sql.ref(`t${index}`)} as (${deletion})`);
    await sql`with ${sql.join(parts)} select 1`.execute(db);
  } else for (const deletion of deletions) await deletion.execute(db);
}
