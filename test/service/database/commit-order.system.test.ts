import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { openEventFeed } from '../../../shared/operations/events/stream-events.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import { currentMark, resetRestored } from '../../../shared/store/commit-order.ts';
import { listEdgeChanges, saveEdgeValues } from '../../../shared/store/edge/edge-values.ts';
import { autocommit, inTransaction, type Store } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startRestartablePostgres } from '../../fixtures/postgres/restartable-postgres.ts';
import { anApp, anEvent, NOW, newId } from '../../store/rows.ts';
import { insertEvent } from '../../store/writes.ts';
import { migrateAt, migratedDatabase } from './migrated-database.ts';

const CALLER: Caller = {
  app_id: newId('app'),
  account_id: newId('acc'),
  key_id: newId('key'),
  mode: 'test',
  idempotency: null,
};

/** A reader of rows in the order of commits. `next` returns the names of the rows that no earlier call returned. */
interface Reader {
  write(store: Store, name: string): Promise<void>;
  next(): Promise<string[]>;
}

const READERS: Record<string, (store: Store) => Promise<Reader>> = {
  async 'the values of edges'(store) {
    let mark = await currentMark(store, 'edge_values');
    return {
      write: (within, name) =>
        saveEdgeValues(
          autocommit(within),
          [{ key: name, epoch: 1, number: 1, value: Buffer.from(name) }],
          NOW,
        ),
      async next() {
        const range = { since: mark, until: null };
        const { now, rows } = await listEdgeChanges(store, range, { after: '', limit: 1000 });
        const isKnown = now.source === mark.source;
        mark = now;
        return !isKnown ? ['everything'] : rows.map(({ key }) => key);
      },
    };
  },
  async 'the event stream'(store) {
    const context = { store, clock: { now: () => NOW }, settings: { retentionMs: 30 * DAY_MS } } as Context;
    let feed = await openEventFeed(context, CALLER, {}, null);
    let count = 0;
    return {
      write: (within, name) =>
        insertEvent(
          within,
          anEvent({ app_id: CALLER.app_id, mode: 'test', hostname: name, created_at: NOW + count++ }),
        ),
      async next() {
        const names: string[] = [];
        for await (const page of feed.look()) names.push(...page.map(({ event }) => event.hostname));
        // Opens a new stream for each read, as a client does after its connection broke.
        feed = await openEventFeed(context, CALLER, {}, feed.position());
        return names;
      },
    };
  },
};

for (const [title, readerOf] of Object.entries(READERS))
  describePostgres(`${title}, read in the order of commits`, () => {
    async function world(url: string | null = null) {
      const database = url === null ? await migratedDatabase() : null;
      const connectionString = url ?? database?.url ?? '';
      const { store, close } = openPostgresStore({ connectionString, onIdleError: () => undefined });
      onTestFinished(async () => {
        await close();
        await database?.[Symbol.asyncDispose]();
      });
      return { store, url: connectionString, reader: await readerOf(store) };
    }

    /** Opens a transaction that has already written a row, and leaves it open. */
    async function openTransaction({ store, reader }: Awaited<ReturnType<typeof world>>, name: string) {
      const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const ended = inTransaction(store, async (tx) => {
        await reader.write(tx, name);
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
          return ended.catch(() => undefined);
        },
      };
    }

    test('finds a row that was written first and committed last, however many commits later', async () => {
      const w = await world();
      const late = [await openTransaction(w, 'late.com'), await openTransaction(w, 'later.com')];
      for (let n = 0; n < 20; n++) {
        await w.reader.write(w.store, `n${n}.com`);
        expect(await w.reader.next()).toEqual([`n${n}.com`]);
      }
      await late[0]?.commit();
      expect(await w.reader.next()).toEqual(['late.com']);
      await w.reader.write(w.store, 'last.com');
      await late[1]?.commit();
      expect(new Set(await w.reader.next())).toEqual(new Set(['last.com', 'later.com']));
      expect(await w.reader.next()).toEqual([]);
    });

    test('waits for no transaction that stays open or is rolled back', async () => {
      const w = await world();
      const [open, undone] = [await openTransaction(w, 'open.com'), await openTransaction(w, 'undone.com')];
      await w.reader.write(w.store, 'a.com');
      expect(await w.reader.next()).toEqual(['a.com']);
      await undone.undo();
      await w.reader.write(w.store, 'b.com');
      expect(await w.reader.next()).toEqual(['b.com']);
      await open.undo();
      expect(await w.reader.next()).toEqual([]);
    });

    test('finds a row that was written in a savepoint', async () => {
      const w = await world();
      const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const ended = w.store.db.transaction().execute(async (db) => {
        const tx = { ...w.store, db, last: [] };
        await w.reader.write(tx, 'outer.com');
        await sql`savepoint one`.execute(db);
        await w.reader.write(tx, 'inner.com');
        written.resolve();
        await end.promise;
      });
      await written.promise;
      await w.reader.write(w.store, 'a.com');
      expect(await w.reader.next()).toEqual(['a.com']);
      end.resolve();
      await ended;
      expect(new Set(await w.reader.next())).toEqual(new Set(['outer.com', 'inner.com']));
    });

    test('waits for no prepared transaction of any database, and finds its rows after COMMIT PREPARED', async () => {
      const postgres = await startRestartablePostgres('max_prepared_transactions=2');
      onTestFinished(() => postgres[Symbol.asyncDispose]());
      await migrateAt(postgres.url);
      const w = await world(postgres.url);
      await sql`create database other`.execute(w.store.db);
      const other = new pg.Client({
        connectionString: Object.assign(new URL(postgres.url), { pathname: 'other' }).href,
      });
      await other.connect();
      onTestFinished(() => other.end());
      await other.query('create table notes (name text)');
      await other.query("begin; insert into notes values ('a'); prepare transaction 'elsewhere'");
      await w.store.db.connection().execute(async (db) => {
        await sql`begin`.execute(db);
        await w.reader.write({ ...w.store, db, last: [] }, 'prepared.com');
        await sql`prepare transaction 'late'`.execute(db);
      });
      // The other database has a prepared transaction. This opens a second transaction, which is not prepared.
      await other.query('begin; select pg_current_xact_id()');
      for (const name of ['a.com', 'b.com']) {
        await w.reader.write(w.store, name);
        expect(await w.reader.next()).toEqual([name]);
      }
      await sql`commit prepared 'late'`.execute(w.store.db);
      expect(await w.reader.next()).toEqual(['prepared.com']);
      await w.reader.write(w.store, 'c.com');
      expect(await w.reader.next()).toEqual(['c.com']);
    });

    test('finds restored rows, which have the transaction ids of another server, and new rows after them', async () => {
      const w = await world();
      await insertApp(autocommit(w.store), anApp({ id: CALLER.app_id }));
      await w.reader.write(w.store, 'restored.com');
      for (const table of ['events', 'edge_values'] as const)
        await sql`update ${sql.table(table)} set xid = '900000000000'`.execute(w.store.db);
      expect(await w.reader.next()).toEqual([]);
      await resetRestored(autocommit(w.store));
      expect(await w.reader.next()).toEqual(['restored.com']);
      await w.reader.write(w.store, 'new.com');
      expect(await w.reader.next()).toEqual(['new.com']);
    });

    test('continues after a restart of the server, which may use its last transaction ids again', async () => {
      const postgres = await startRestartablePostgres();
      onTestFinished(() => postgres[Symbol.asyncDispose]());
      await migrateAt(postgres.url);
      const w = await world(postgres.url);
      await w.reader.write(w.store, 'a.com');
      expect(await w.reader.next()).toEqual(['a.com']);
      await postgres.restart();
      await vi.waitFor(() => w.reader.write(w.store, 'b.com'), { timeout: 10_000 });
      // After a restart, an edge compares all its values, and the event stream repeats the last events.
      expect([['everything'], ['a.com', 'b.com']]).toContainEqual(await w.reader.next());
      await w.reader.write(w.store, 'c.com');
      expect(await w.reader.next()).toEqual(['c.com']);
    });
  });
