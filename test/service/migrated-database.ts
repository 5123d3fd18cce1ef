import { migrateDatabase } from '../../service/migrations.ts';
import { openPostgres } from '../../shared/store/postgres.ts';
import { closeStore } from '../../shared/store/store.ts';
import { createDatabase, type TestDatabase } from '../fixtures/postgres.ts';

/** A database of a test's own with the service's schema. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  await migrateAt(database.url);
  return database;
}

export async function migrateAt(url: string): Promise<void> {
  const store = openPostgres({ connection_string: url, on_idle_error: console.error });
  try {
    await migrateDatabase(store);
  } finally {
    await closeStore(store);
  }
}
