import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { lossWarning, watchCommits } from '../../../service/database/commit-watch.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { createWaitingCommits, type WaitingCommits } from '../../../service/database/waiting-commits.ts';
import { monotonicClock } from '../../../shared/adapters/system.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startRestartablePostgres } from '../../fixtures/postgres/restartable-postgres.ts';

const PATIENT = { interval: 20 };

describePostgres('the watch of Postgres commits reports what delays commits', () => {
  async function world() {
    const postgres = await startRestartablePostgres();
    const commits = createWaitingCommits(2, 1_000);
    const options = { connectionString: postgres.url, onIdleError: () => undefined };
    const [own, observer] = [openPostgresStore({ ...options, commits }), openPostgresStore(options)];
    const said: string[] = [];
    const tell = (_: object, message: string) => said.push(message);
    const watch = watchCommits({
      store: own.store,
      observer: observer.store,
      commits,
      machine: monotonicClock,
      docs: '',
      log: { info: tell, warn: tell, error: tell },
      everyMs: 50,
      patienceMs: 2_000,
    });
    onTestFinished(async () => {
      watch.close();
      await Promise.all([own.close(), observer.close()]);
      await postgres[Symbol.asyncDispose]();
    });
    const set = async (standby: string) => {
      await sql`alter system set synchronous_standby_names = ${sql.lit(standby)}`.execute(observer.store.db);
      await sql`select pg_reload_conf()`.execute(observer.store.db);
    };
    const waiting = async () =>
      (await sql`select 1 from pg_stat_activity where wait_event = 'SyncRep'`.execute(observer.store.db)).rows
        .length;
    const committed = async () => {
      const before = commits.committedAt;
      await expect.poll(() => commits.committedAt, PATIENT).toBeGreaterThan(before);
    };
    return { watch, said, set, waiting, committed, observer: observer.store };
  }

  test('reports once that a synchronous standby is away, and once that it is back', async () => {
    const { watch, said, set, waiting } = await world();
    await set('away');
    await expect.poll(() => watch.problem(), PATIENT).toBe('cannot commit: synchronous standby');
    expect(await waiting()).toBeLessThanOrEqual(1);
    await set('');
    await expect.poll(() => watch.problem(), PATIENT).toBeNull();
    await expect
      .poll(() => said, PATIENT)
      .toEqual(['the database commits nothing: synchronous standby', 'the database commits again']);
  });

  test('reports nothing after a pause of the process itself', async () => {
    const { watch, said, committed } = await world();
    await committed();
    // Blocks this process for longer than a commit may take, as if the process had been stopped.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    await committed();
    expect([watch.problem(), said]).toEqual([null, []]);
  });

  test('warns of data that a crash or a failover can lose', async () => {
    const { set, observer } = await world();
    const warning = () => lossWarning(observer);
    expect(await warning()).toContain('no synchronous standby');
    await set('away');
    await expect.poll(warning, PATIENT).toBeNull();
    await sql`alter system set synchronous_commit = off`.execute(observer.db);
    await set('away');
    await expect.poll(warning, PATIENT).toContain('synchronous_commit is off');
    await set('');
  });

  test('never leaves more than two waiting commits on the database server', async () => {
    const { watch, set, waiting } = await world();
    await set('away');
    await expect.poll(() => watch.problem(), PATIENT).not.toBeNull();
    // By now, the watch has given up several transactions, but at most two still wait on the server.
    for (let looks = 0; looks < 40; looks++) expect(await waiting()).toBeLessThanOrEqual(2);
    await set('');
    await expect.poll(() => watch.problem(), PATIENT).toBeNull();
  });
});

describePostgres('the watch of Postgres commits reports what delays commits', () => {
  test('logs that the timeline of Postgres has changed, even if the database role has no privileges', async () => {
    const postgres = await startRestartablePostgres();
    const operate = async (statement: string) => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      return client.query(statement).finally(() => client.end());
    };
    const { rows } = await operate('show data_directory');
    await operate("create role plain login password 'plain'");
    const url = Object.assign(new URL(postgres.url), { username: 'plain', password: 'plain' }).href;
    const commits = createWaitingCommits(2);
    const { store, close } = openPostgresStore({
      connectionString: url,
      commits,
      onIdleError: () => undefined,
    });
    const lines: object[] = [];
    const watch = watchCommits({
      store,
      observer: store,
      commits,
      machine: monotonicClock,
      docs: 'https://guide',
      log: {
        info: () => undefined,
        warn: (fields, message) => lines.push({ ...fields, message }),
        error: () => undefined,
      },
      everyMs: 50,
    });
    onTestFinished(async () => {
      watch.close();
      await close();
      await postgres[Symbol.asyncDispose]();
    });
    const commitAgain = async () => {
      const before = commits.committedAt;
      await expect.poll(() => commits.committedAt, PATIENT).toBeGreaterThan(before);
    };
    await commitAgain();
    await postgres.stop();
    writeFileSync(path.join(rows[0].data_directory, 'standby.signal'), '');
    // `start` resolves only after the promotion of the standby below.
    const started = postgres.start();
    await expect
      .poll(
        () =>
          operate('select pg_promote()').then(
            () => true,
            () => false,
          ),
        PATIENT,
      )
      .toBe(true);
    await started;
    await expect
      .poll(() => lines, PATIENT)
      .toEqual([
        {
          docs: 'https://guide',
          before: '00000001',
          timeline: '00000002',
          message: expect.stringContaining('Postgres has a new timeline'),
        },
      ]);
    // Revokes the right to query the timeline, because a managed Postgres may not permit the query.
    await operate('revoke execute on function pg_walfile_name(pg_lsn) from public');
    await commitAgain();
  });
});

test('the watch of Postgres commits reports a server that keeps refusing new connections', () => {
  const now = { ms: 0 };
  const watch = watchUnderTest(createWaitingCommits(1), now, { everyMs: 1_000_000, patienceMs: 100 });
  const refused = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
  const seen: (string | null)[] = [];
  for (const at of [10, 60, 120]) {
    now.ms = at;
    watch.failed(refused);
    seen.push(watch.problem());
  }
  expect(seen).toEqual([null, null, 'cannot commit: connections']);
});

test('the watch of Postgres commits reports requests as late until a commit is recent enough', () => {
  const now = { ms: 0 };
  const commits = createWaitingCommits(1);
  const watch = watchUnderTest(commits, now, { everyMs: 2_000, patienceMs: 5_000 });
  const seen: boolean[] = [];
  for (const [at, committedAt] of [
    [2_500, 0],
    [3_100, 0],
    [3_200, 3_200],
    [8_000, 7_000],
    [8_200, 7_000],
  ] as const) {
    now.ms = at;
    commits.committedAt = committedAt;
    seen.push(watch.isLate());
  }
  expect(seen).toEqual([false, true, true, true, false]);
});

function watchUnderTest(
  commits: WaitingCommits,
  now: { ms: number },
  times: { everyMs: number; patienceMs: number },
) {
  const nothing = {} as Parameters<typeof watchCommits>[0]['store'];
  const watch = watchCommits({
    store: nothing,
    observer: nothing,
    commits,
    machine: { now: () => now.ms },
    docs: '',
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...times,
  });
  onTestFinished(watch.close);
  return watch;
}
