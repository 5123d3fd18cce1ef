import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { RouteCursor } from '../../../service/edge/route-cursor.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { insertRouteChanges } from '../../../shared/store/domains/route-changes.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { describePostgres, type TestDatabase } from '../../fixtures/postgres/postgres.ts';
import { startRestartablePostgres } from '../../fixtures/postgres/restartable-postgres.ts';
import { migrateAt, migratedDatabase } from '../database/migrated-database.ts';

describePostgres('a position in the list of route changes', () => {
  async function listOf(database: TestDatabase | null = null) {
    database ??= await migratedDatabase();
    const { store, close } = openPostgresStore({
      connectionString: database.url,
      onIdleError: () => undefined,
    });
    onTestFinished(async () => {
      await close();
      await database[Symbol.asyncDispose]();
    });
    let now = 0;
    const cursor = new RouteCursor(store, { now: () => now });
    await cursor.begin();
    return {
      store,
      cursor,
      write: (hostname: string, within: Store = store) =>
        insertRouteChanges(within, [{ hostname, app_id: null }], 0),
      pass: (byMs: number) => {
        now += byMs;
      },
      /** Reads the new changes and moves past them. */
      async next() {
        const { changes } = await cursor.read();
        cursor.pass(changes);
        return changes.map(({ hostname }) => hostname);
      },
    };
  }

  /** Holds a transaction open that already has its sequence number. */
  async function openTransaction({ store, write }: Awaited<ReturnType<typeof listOf>>, hostname: string) {
    const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = inTransaction(store, async (tx) => {
      await write(hostname, tx);
      written.resolve();
      await end.promise;
    });
    await written.promise;
    return {
      commit() {
        end.resolve();
        return ended;
      },
      undo() {
        end.reject(new Error('undone'));
        return ended;
      },
    };
  }

  test('returns a change again until the cursor has moved past it', async () => {
    const { cursor, write, next } = await listOf();
    await write('a.com');
    expect((await cursor.read()).changes).toMatchObject([{ hostname: 'a.com', app_id: null }]);
    expect(await next()).toEqual(['a.com']);
    expect(await next()).toEqual([]);
    await write('b.com');
    expect(await next()).toEqual(['b.com']);
  });

  test('finds a change that got its number first and was committed last', async () => {
    const list = await listOf();
    const slow = await openTransaction(list, 'slow.com');
    await list.write('fast.com');
    expect(await list.next()).toEqual(['fast.com']);
    expect(await list.next()).toEqual([]);
    await slow.commit();
    expect(await list.next()).toEqual(['slow.com']);
    expect(await list.next()).toEqual([]);
  });

  test('finds a change that was not committed when the cursor began', async () => {
    const list = await listOf();
    const slow = await openTransaction(list, 'slow.com');
    await list.write('fast.com');
    await list.cursor.begin();
    expect(await list.next()).toEqual(['fast.com']);
    await slow.commit();
    expect(await list.next()).toEqual(['slow.com']);
  });

  test('stops waiting for a number that was rolled back', async () => {
    const list = await listOf();
    const undone = await openTransaction(list, 'undone.com');
    await list.write('a.com');
    await list.next();
    await undone.undo().catch(() => undefined);
    list.pass(MINUTE_MS + 1);
    await list.next();
    // No transaction uses that number again. If the cursor still waited for it, this row would show.
    await list.store.db
      .insertInto('route_changes')
      .values({ seq: 1, hostname: 'undone.com', app_id: null, created_at: 0 })
      .execute();
    expect(await list.next()).toEqual([]);
  });

  test('is lost after a restart of the server, as in a failover, until it begins again', async () => {
    const postgres = await startRestartablePostgres();
    await migrateAt(postgres.url);
    const { cursor } = await listOf(postgres);
    expect(await cursor.isLost()).toBe(false);
    await postgres.restart();
    expect(await cursor.isLost()).toBe(true);
    await cursor.begin();
    expect(await cursor.isLost()).toBe(false);
  });
});
