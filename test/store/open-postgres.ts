import { openPostgresStore } from '../../service/database/postgres-store.ts';
import { closeStore } from '../../shared/store/store.ts';
import { createDatabase } from '../fixtures/postgres/postgres.ts';
import type { OpenedStore } from './open-store.ts';

/** Opens a store with as many connections as the parallel tests have claimers, so that these really run in parallel. */
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
      // Errors are read before closing: the pool closes its sockets later, and dropping the database breaks those that are still open.
      const broken = [...errors];
      await closeStore(store);
      await database[Symbol.asyncDispose]();
      if (broken.length > 0) throw new AggregateError(broken, 'Connections broke');
    },
  };
}
