import { migrateDatabase } from '../../../service/database/migrations.ts';
import { createDatabase, type TestDatabase } from '../../fixtures/postgres/postgres.ts';

/** Creates a database for one test with the service's schema. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  await migrateAt(database.url);
  return database;
}

export async function migrateAt(url: string): Promise<void> {
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  await migrateDatabase({ connectionString: url, log });
}
