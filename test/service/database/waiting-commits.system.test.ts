import { sql } from 'kysely';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { watchCommits } from '../../../service/database/commit-watch.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { createWaitingCommits } from '../../../service/database/waiting-commits.ts';
import { monotonicClock } from '../../../shared/adapters/system.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startRestartablePostgres } from '../../fixtures/postgres/restartable-postgres.ts';

const PATIENT = { interval: 20 };
const UNKNOWN = { name: 'CommitUnknown', code: '08007' };

describePostgres('A commit that waits for a standby is given up in time', () => {
  async function world(patienceMs = 500) {
    const postgres = await startRestartablePostgres();
    const options = { connectionString: postgres.url, onIdleError: () => undefined };
    const operator = openPostgresStore(options);
    const commits = createWaitingCommits(1, patienceMs);
    const opened = openPostgresStore({ ...options, commits });
    const ignore = () => undefined;
    const watch = watchCommits({
      store: opened.store,
      observer: operator.store,
      commits,
      machine: monotonicClock,
      docs: '',
      log: { info: ignore, warn: ignore, error: ignore },
      // In this test, the watch commits nothing itself.
      everyMs: 1_000_000,
    });
    const run = async <Row>(statement: string) =>
      (await sql.raw<Row>(statement).execute(operator.store.db)).rows;
    await run('create table notes (name text primary key)');
    const standby = async (name: '' | 'away') => {
      await run(`alter system set synchronous_standby_names = '${name}'`);
      await run('select pg_reload_conf()');
      await expect
        .poll(() => run('show synchronous_standby_names'), PATIENT)
        .toEqual([{ synchronous_standby_names: name }]);
    };
    onTestFinished(async () => {
      watch.close();
      await standby('');
      await Promise.all([opened.close(), operator.close()]);
      await postgres[Symbol.asyncDispose]();
    });
    const waiting = () =>
      run<{ pid: number }>("select pid from pg_stat_activity where wait_event = 'SyncRep'");
    const names = async () =>
      (await run<{ name: string }>('select name from notes order by name')).map(({ name }) => name);
    return { ...opened, commits, run, standby, waiting, names };
  }

  const insert = ({ db }: Store, name: string) => sql`insert into notes values (${name})`.execute(db);

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['a transaction', (store) => inTransaction(store, (tx) => insert(tx, 'a'))],
    ['a single statement', (store) => insert(store, 'a')],
  ])(
    'is given up with an unknown result, and becomes visible only when the standby is back: %s',
    async (_, write) => {
      const { store, standby, waiting, names, commits, pool } = await world();
      await standby('away');
      const failed = expect(write(store)).rejects.toMatchObject(UNKNOWN);
      await expect.poll(async () => (await waiting()).length, PATIENT).toBe(1);
      await failed;
      // Only the primary has the change. A failover would lose it, so readers do not see the change yet.
      expect([await names(), (await waiting()).length, pool.totalCount]).toEqual([[], 1, 0]);
      expect(commits.areStuck).toBe(true);
      await expect(insert(store, 'b')).rejects.toThrow('was not begun');
      expect((await sql`select 1`.execute(store.db)).rows.length).toBe(1);
      await standby('');
      commits.confirm();
      await insert(store, 'b');
      await expect.poll(names, PATIENT).toEqual(['a', 'b']);
    },
  );

  test('does not delay other changes while other commits succeed', async () => {
    const { store, standby, waiting, commits } = await world();
    await standby('away');
    const failed = expect(insert(store, 'a')).rejects.toMatchObject(UNKNOWN);
    await expect.poll(async () => (await waiting()).length, PATIENT).toBe(1);
    const confirming = setInterval(() => commits.confirm(), 20);
    onTestFinished(() => clearInterval(confirming));
    await failed;
    expect([commits.areStuck, commits.areFull]).toEqual([false, false]);
  });

  test('is a success if the change itself raises a warning', async () => {
    const { store, run, names } = await world();
    await run(`create function warn() returns trigger language plpgsql as
      $$ begin raise warning 'audited'; return new; end $$`);
    await run('create trigger warns before insert on notes for each row execute function warn()');
    await insert(store, 'a');
    await inTransaction(store, (tx) => insert(tx, 'b'));
    expect(await names()).toEqual(['a', 'b']);
  });

  test('fails with the original error and not with an unknown result if the transaction changed nothing', async () => {
    const { store, run } = await world();
    const ended = inTransaction(store, async ({ db }) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      await run(`select pg_terminate_backend(${rows[0]?.pid})`);
    });
    await expect(ended).rejects.toThrow('terminat');
    await expect(ended).rejects.not.toMatchObject(UNKNOWN);
  });

  test('has an unknown result if it is canceled, although Postgres reports success with a warning', async () => {
    const { store, standby, waiting, run } = await world(60_000);
    await standby('away');
    const cause = { message: 'the wait for a standby was canceled' };
    const failed = expect(insert(store, 'a')).rejects.toMatchObject({ ...UNKNOWN, cause });
    await expect.poll(async () => (await waiting()).length, PATIENT).toBe(1);
    await run("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
    await failed;
  });

  test('has an unknown result if its connection breaks', async () => {
    const { store, standby, waiting, run } = await world(60_000);
    await standby('away');
    const failed = expect(inTransaction(store, (tx) => insert(tx, 'a'))).rejects.toMatchObject(UNKNOWN);
    await expect.poll(async () => (await waiting()).length, PATIENT).toBe(1);
    await run("select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
    await failed;
  });

  test('is given up early if too many commits wait, and further changes are refused, so that reads get a connection', async () => {
    const { store, standby, waiting, commits } = await world(5_000);
    await standby('away');
    const first = insert(store, 'a');
    await expect.poll(async () => (await waiting()).length, PATIENT).toBe(1);
    await expect(insert(store, 'b')).rejects.toMatchObject(UNKNOWN);
    expect(commits.areLate).toBe(true);
    await expect(insert(store, 'c')).rejects.toThrow('was not begun');
    // Postgres still runs both commits, although the client of the second one has given up.
    expect((await waiting()).length).toBe(2);
    await standby('');
    await first;
    await insert(store, 'c');
  });

  test('has a known result if the server refuses the commit', async () => {
    const { store, run } = await world();
    await run('create table twins (name text unique deferrable initially deferred)');
    const twice = inTransaction(store, async ({ db }) => {
      await sql`insert into twins values ('a')`.execute(db);
      await sql`insert into twins values ('a')`.execute(db);
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    await expect(sql`insert into twins values ('b'), ('b')`.execute(store.db)).rejects.toMatchObject({
      code: '23505',
    });
    await expect(insert(store, null as never)).rejects.toMatchObject({ code: '23502' });
  });
});

describePostgres('A database connection that broke fails the rest of its transaction', () => {
  test('makes each later query of the transaction fail with the error that broke the connection', async () => {
    const postgres = await startRestartablePostgres();
    onTestFinished(() => postgres[Symbol.asyncDispose]());
    const { store, pool, close } = openPostgresStore({
      connectionString: postgres.url,
      onIdleError: () => undefined,
    });
    onTestFinished(close);
    const failing = inTransaction(store, async ({ db }) => {
      await sql`set idle_in_transaction_session_timeout = 50`.execute(db);
      // Postgres ends the session while no query runs.
      const client = await brokenClient(pool);
      await expect(sql`select 1`.execute(db)).rejects.toThrow(client);
      await sql`select 1`.execute(db);
    });
    await expect(failing).rejects.toThrow('idle-in-transaction timeout');
  });

  /** Waits until the only client of the pool fails, and returns the error message. */
  async function brokenClient(pool: pg.Pool): Promise<string> {
    const { _clients } = pool as unknown as { _clients: pg.Client[] };
    const [client] = _clients;
    return new Promise((resolve) => client?.once('error', ({ message }) => resolve(message)));
  }
});
