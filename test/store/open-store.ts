import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import type { Store } from '../../shared/store/store.ts';

/** A store on a new, empty database. Disposing it closes the store and deletes the database. */
export interface OpenedStore extends AsyncDisposable {
  store: Store;
}

export type OpenStore = () => Promise<OpenedStore>;

/** Opens one migrated store for a group of tests, and empties it before each test. */
export function migratedStore(open: OpenStore): () => Store {
  let opened: OpenedStore;
  beforeAll(async () => {
    opened = await open();
    await migrateSchema(opened.store);
  });
  beforeEach(() => empty(opened.store));
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return () => opened.store;
}

/** Returns the tables of the schema, without those of the migrator and the counter of SQLite. */
export async function tableNames(store: Store): Promise<string[]> {
  const tables = await store.db.introspection.getTables();
  return tables.flatMap(({ name }) => (name === 'commit_order' ? [] : name)).sort();
}

async function empty(store: Store): Promise<void> {
  for (const name of await tableNames(store)) await sql`delete from ${sql.table(name)}`.execute(store.db);
}
