import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresNotices } from '../../../service/database/postgres-notices.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { isStoreUnavailable } from '../../../shared/store/unavailable.ts';
import { createDatabase, describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, createDeployment } from '../run-service.ts';
import { startSilentProxy } from './silent-proxy.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
/** A timeout that is longer than any test. */
const FOREVER_MS = 600_000;

describePostgres('A database that stops responding does not block the service', () => {
  function open(connectionString: string, silenceMsMax: number) {
    const opened = openPostgresStore({
      connectionString,
      connectionsMax: 2,
      statementTimeoutMs: 10_000,
      silenceMsMax,
      onIdleError: () => undefined,
    });
    onTestFinished(opened.close);
    return opened;
  }

  async function ask({ db }: Store): Promise<unknown> {
    return (await sql`select 1 as one`.execute(db)).rows;
  }

  function failureOf(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => expect.unreachable('It did not fail'),
      (error: unknown) => error,
    );
  }

  test('makes the waiting query fail; the next query uses another connection', async () => {
    await using database = await createDatabase();
    await using proxy = await startSilentProxy(database.url);
    const { store } = open(proxy.url, 400);
    expect(await ask(store)).toEqual([{ one: 1 }]);
    proxy.fallSilent();
    expect(isStoreUnavailable(await failureOf(ask(store)))).toBe(true);
    expect(await ask(store)).toEqual([{ one: 1 }]);
  });

  test('does not prolong the row locks of a machine that has vanished', async () => {
    await using database = await createDatabase();
    await using proxy = await startSilentProxy(database.url);
    const [vanishing, other] = [open(proxy.url, 0).store, open(database.url, 0).store];
    const shown = async (name: string) =>
      Object.values((await sql<object>`show ${sql.id(name)}`.execute(vanishing.db)).rows[0] ?? {});
    expect(await shown('idle_in_transaction_session_timeout')).toEqual(['15s']);
    expect(await shown('tcp_keepalives_idle')).toEqual(['5']);
    expect(await shown('tcp_user_timeout')).toEqual(['15000']);
    await sql`create table held (id integer)`.execute(other.db);
    await sql`insert into held values (1)`.execute(other.db);
    const lost = inTransaction(vanishing, async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = '300ms'`.execute(tx.db);
      await sql`select id from held for update`.execute(tx.db);
      proxy.fallSilent();
      await sql`update held set id = 3`.execute(tx.db);
    });
    lost.catch(() => undefined);
    await expect
      .poll(() =>
        sql`select id from held for update skip locked`.execute(other.db).then(({ rows }) => rows.length),
      )
      .toBe(1);
    await sql`update held set id = 2`.execute(other.db);
    expect((await sql`select id from held`.execute(other.db)).rows).toEqual([{ id: 2 }]);
  });

  test('makes a transaction in progress fail', async () => {
    await using database = await createDatabase();
    await using proxy = await startSilentProxy(database.url);
    const { store } = open(proxy.url, 400);
    const broken = inTransaction(store, async (tx) => {
      await ask(tx);
      proxy.fallSilent();
      await ask(tx);
    });
    expect(isStoreUnavailable(await failureOf(broken))).toBe(true);
    expect(await ask(store)).toEqual([{ one: 1 }]);
  });

  test('does not delay closing the store, even while a query waits', async () => {
    await using database = await createDatabase();
    await using proxy = await startSilentProxy(database.url);
    const { store, close } = open(proxy.url, FOREVER_MS);
    const waiting = failureOf(sql`select pg_sleep(300)`.execute(store.db));
    expect(await ask(store)).toEqual([{ one: 1 }]);
    const beside = open(database.url, FOREVER_MS);
    const asleep = async () =>
      (
        await sql`select 1 from pg_stat_activity where query = 'select pg_sleep(300)'`.execute(
          beside.store.db,
        )
      ).rows;
    await expect.poll(asleep).toHaveLength(1);
    expect(proxy.open()).toBe(2);
    proxy.fallSilent();
    await close();
    expect(isStoreUnavailable(await waiting)).toBe(true);
    await expect.poll(proxy.open).toBe(0);
  });

  test('is reported as a gap by the listener for notices, which then listens again', async () => {
    await using database = await createDatabase();
    await using proxy = await startSilentProxy(database.url);
    let gaps = 0;
    const heard: unknown[] = [];
    const notices = openPostgresNotices({
      connectionString: proxy.url,
      log: QUIET,
      onGap: () => {
        gaps += 1;
      },
      pingMs: 50,
      silenceMsMax: 1000,
    });
    onTestFinished(notices.close);
    notices.subscribe((notice) => heard.push(notice));
    const { store } = open(database.url, FOREVER_MS);
    const heardOf = async (hostname: string) => {
      const payload = JSON.stringify([{ kind: 'route', hostname }]);
      await sql`select pg_notify('nameplate', ${payload})`.execute(store.db);
      return heard;
    };
    await expect.poll(() => heardOf('before')).toContainEqual({ kind: 'route', hostname: 'before' });
    // While the database responds, pings continue and no gap is reported.
    expect(gaps).toBe(0);
    proxy.fallSilent();
    await expect.poll(() => gaps).toBe(1);
    await expect.poll(() => heardOf('after')).toContainEqual({ kind: 'route', hostname: 'after' });
    proxy.stayedSilent = true;
    proxy.fallSilent();
    await notices.close();
    await expect.poll(proxy.open).toBe(0);
  });

  test('makes a node respond with 503 until the database is back, and does not prevent the node from stopping', async () => {
    await using deployment = await createDeployment();
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    await using proxy = await startSilentProxy(deployment.database.url);
    const running = await deployment.start({
      env: { DATABASE_URL: proxy.url, NAMEPLATE_STATEMENT_TIMEOUT_MS: '100' },
    });
    const status = async () => (await api(running.api_url, test_key, 'GET /domains')).status;
    expect(await status()).toBe(200);
    proxy.fallSilent();
    const statuses = await Promise.all(Array.from({ length: 20 }, status));
    expect(statuses).toContain(503);
    await expect.poll(status).toBe(200);
    proxy.stayedSilent = true;
    proxy.fallSilent();
    await running.node.stop();
    await expect.poll(proxy.open).toBe(0);
  });
});
