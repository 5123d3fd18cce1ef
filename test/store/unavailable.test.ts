import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../service/database/postgres-store.ts';
import { insertAccount } from '../../shared/store/accounts/accounts.ts';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import { openSqlite } from '../../shared/store/sqlite.ts';
import { autocommit, closeStore, inTransaction, type Store, withinTime } from '../../shared/store/store.ts';
import { isStoreUnavailable } from '../../shared/store/unavailable.ts';
import { createDatabase, describePostgres } from '../fixtures/postgres/postgres.ts';
import { anAccount } from './rows.ts';

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('It did not fail'),
    (error: unknown) => error,
  );
}

function open(connectionString: string, statementTimeoutMs = 10_000): Store {
  const { store } = openPostgresStore({
    connectionString,
    statementTimeoutMs,
    onIdleError: () => undefined,
  });
  onTestFinished(() => closeStore(store));
  return store;
}

test('a duplicate row is not an error of an unavailable database', async () => {
  const store = openSqlite(null);
  await migrateSchema(store);
  const account = anAccount();
  await insertAccount(autocommit(store), account);
  expect(isStoreUnavailable(await failureOf(insertAccount(autocommit(store), account)))).toBe(false);
  await closeStore(store);
});

test('a database server that cannot be reached is unavailable', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const store = open(`postgres://a:b@127.0.0.1:${port}/c`);
  expect(isStoreUnavailable(await failureOf(sql`select 1`.execute(store.db)))).toBe(true);
});

test('a database server that hangs up is unavailable', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).destroy()).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const store = open(`postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/c`);
  expect(isStoreUnavailable(await failureOf(sql`select 1`.execute(store.db)))).toBe(true);
});

test.each([
  undefined,
  null,
  'ECONNREFUSED',
  { code: 'ECONNREFUSED' },
  new Error('x'),
  new TypeError('x is not a function'),
])('the error %s does not mean that the database is unavailable', (error) =>
  expect(isStoreUnavailable(error)).toBe(false),
);

describePostgres('the store on Postgres detects an unavailable database', () => {
  test.each([
    ['a statement that takes too long', 'select pg_sleep(30)', true],
    ['a terminated connection', 'select pg_terminate_backend(pg_backend_pid())', true],
    ['an unknown name', 'select nothing', false],
    ['a failed computation', 'select 1 / 0', false],
    ['text that Postgres cannot store', String.raw`select E'\x00'`, false],
  ])('reports whether %s (%s) means an unavailable database: %s', async (_, statement, away) => {
    await using database = await createDatabase();
    const { store } = openPostgresStore({
      connectionString: database.url,
      statementTimeoutMs: 50,
      onIdleError: () => undefined,
    });
    expect(isStoreUnavailable(await failureOf(sql.raw(statement).execute(store.db)))).toBe(away);
    await closeStore(store);
  });

  test('cancels work at its own timeout, and restores the usual timeout of the connection', async () => {
    await using database = await createDatabase();
    const store = open(database.url);
    const slow = withinTime(store, 50, (tx) => sql`select pg_sleep(60)`.execute(tx.db));
    expect(isStoreUnavailable(await failureOf(slow))).toBe(true);
    const { rows } = await sql<{ timeout: string }>`
      select current_setting('statement_timeout') as timeout`.execute(store.db);
    expect(rows).toEqual([{ timeout: '10s' }]);
  });

  test('reports an unavailable database if a connection breaks within a transaction', async () => {
    await using database = await createDatabase();
    const store = open(database.url);
    const broken = inTransaction(store, async ({ db }) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db).catch(() => undefined);
      await sql`select 1`.execute(db);
    });
    expect(isStoreUnavailable(await failureOf(broken))).toBe(true);
  });
});
