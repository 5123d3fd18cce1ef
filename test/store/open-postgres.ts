import { openPostgresStore } from '../../service/database/postgres-store.ts';
import { closeStore } from '../../shared/store/store.ts';
import { createDatabase } from '../fixtures/postgres/postgres.ts';
import type { OpenedStore } from './open-store.ts';

/** Opens a store with one connection for each claimer of the parallel tests, so that the claimers run in parallel. */
export async function openDatabase(): Promise<OpenedStore> {
  const database = await createDatabase();
  const errors: Error[] = [];
  const { store } = openPostgresStore({
    connectionString: database.url,
    connectionsMax: 20,
    onIdleError: (error) => errors.push(error),
  });
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      // Ignores errors after this point, because dropping the database breaks the sockets that the pool has not closed yet.
      const broken = [...errors];
      await closeStore(store);
      await database[Symbol.asyncDispose]();
      if (broken.length > 0) throw new AggregateError(broken, 'Connections broke');
    },
  };
}
