import { type KyselyPlugin, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { openDatabaseClock } from '../../../service/database/database-clock.ts';
import { keepSchedulesRepaired } from '../../../service/database/keep-schedules-repaired.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { startNode } from '../../../service/node.ts';
import { monotonicClock, systemClock } from '../../../shared/adapters/system.ts';
import { JOB_KINDS } from '../../../shared/core/domains/job.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { repairSchedules } from '../../../shared/operations/domains/repair-schedules.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { claimJobs } from '../../../shared/store/claim-jobs.ts';
import { findJobDue } from '../../../shared/store/jobs/jobs.ts';
import { inTransaction } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { testConfig } from '../settings/test-config.ts';
import { migratedDatabase } from './migrated-database.ts';

const QUIET = createJsonLog('silent', { write: () => undefined });
const AHEAD_MS = 7 * HOUR_MS;
/** A response this slow is too inaccurate, so the clock discards it. */
const SLOW_MS = 4_000;
const PATIENT = { interval: 20 };

describePostgres('A wrong clock does little harm', () => {
  /** A deployment with a clock that the test moves. */
  async function world() {
    const database = await migratedDatabase();
    const receiver = await startReceiver();
    const time = { aheadMs: 0 };
    const clock = { now: () => systemClock.now() + time.aheadMs };
    const config = testConfig(database.url, { NAMEPLATE_ROLES: 'worker' });
    const { context, database: opened, close } = await composeService(config, QUIET, { clock });
    onTestFinished(async () => {
      await close();
      await receiver[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });
    const { app, account } = await openAccount(context, 'ada', {
      name: 'Acme',
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
      webhook_url: receiver.url,
    });
    const caller: Caller = {
      app_id: app.id,
      account_id: account.id,
      key_id: context.ids('key'),
      mode: 'live',
      idempotency: null,
    };
    return { context, database: opened, caller, time, config, receiver, url: database.url };
  }

  async function addDomain(context: Context, caller: Caller, hostname: string): Promise<DomainId> {
    return (await createDomain(context, caller, { body: { hostname } })).body.id as DomainId;
  }

  test('delays no event once the clock is right again and a worker has restarted', async () => {
    const { context, caller, time, config, receiver } = await world();
    time.aheadMs = AHEAD_MS;
    const id = await addDomain(context, caller, 'late.acme.com');
    time.aheadMs = 0;
    const node = await startNode(config, QUIET, { clock: systemClock });
    onTestFinished(() => node.stop());
    await expect
      .poll(() => receiver.arrivals.map(({ body }) => JSON.parse(body).type), PATIENT)
      .toEqual(['domain.created']);
    // The domain's next events get times after its last event, and the worker sends them at once.
    await deleteDomain(context, caller, { params: { id } });
    await expect.poll(() => receiver.arrivals.length, PATIENT).toBe(2);
    const [created, deleted] = receiver.arrivals.map(({ body }) => JSON.parse(body));
    expect(deleted.type).toBe('domain.deleted');
    expect(Date.parse(deleted.created_at)).toBeGreaterThan(Date.parse(created.created_at));
  });

  test("does not affect signatures if only the machine's clock is wrong, and the node reports the difference", async () => {
    const { url } = await world();
    const right = systemClock.now.bind(systemClock);
    const wrong = vi.spyOn(systemClock, 'now').mockImplementation(() => right() + 10 * MINUTE_MS);
    onTestFinished(() => wrong.mockRestore());
    const { context, databaseClock, close } = await composeService(testConfig(url), QUIET);
    onTestFinished(close);
    expect(Math.abs(context.wallClock.now() - right())).toBeLessThan(MINUTE_MS);
    expect(databaseClock?.problem()).toContain("behind this machine's clock");
  });

  test('leaves no job or lease far in the future, and does not change correct jobs and leases', async () => {
    const { context, caller, time } = await world();
    const { store, clock } = context;
    const right = await addDomain(context, caller, 'right.acme.com');
    const due = await findJobDue(store, right, ['check_dns']);
    time.aheadMs = AHEAD_MS;
    const late = await addDomain(context, caller, 'late.acme.com');
    const leased = await addDomain(context, caller, 'leased.acme.com');
    await sql`update jobs set due_at = 0 where subject_id = ${leased}`.execute(store.db);
    await inTransaction(store, (tx) =>
      claimJobs(tx, {
        now: 0,
        lease_until: clock.now() + 2 * MINUTE_MS,
        makeLeaseId: () => context.ids('lea'),
        kinds: JOB_KINDS,
        limit: 1,
      }),
    );
    time.aheadMs = 0;
    expect(await repairSchedules(context)).toBeGreaterThan(0);
    for (const id of [late, leased]) {
      expect(await findJobDue(store, id, ['check_dns'])).toBeLessThan(clock.now() + MINUTE_MS);
    }
    expect(await findJobDue(store, right, ['check_dns'])).toBe(due);
    expect(await repairSchedules(context)).toBe(0);
  });

  /** Gives a database an adjustable clock: new connections find the test's clock function first in the search path. */
  async function falseTime({ store }: Context, url: string) {
    const database = sql.id(new URL(url).pathname.slice(1));
    await sql`create table false_time (ms bigint); insert into false_time values (0)`.execute(store.db);
    await sql`create function clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() + (select ms from public.false_time) * interval '1 millisecond' $$`.execute(
      store.db,
    );
    await sql`alter database ${database} set search_path = public, pg_catalog`.execute(store.db);
    const { context: reader, close } = await composeService(testConfig(url), QUIET, { clock: systemClock });
    onTestFinished(close);
    const set = (ms: number) => sql`update false_time set ms = ${ms}`.execute(store.db);
    return { reader, set };
  }

  /** Creates a job leased by a healthy worker. @returns the time at which the job's lease ends. */
  async function takeJob({ store, clock }: Context, id: DomainId): Promise<number> {
    const dueAt = clock.now() + 2 * MINUTE_MS;
    await sql`update jobs set lease_id = 'lea_healthy', due_at = ${dueAt} where subject_id = ${id}`.execute(
      store.db,
    );
    return dueAt;
  }

  test("does not affect a running node if only the database's clock is wrong, and the node reports the difference once", async () => {
    const { context, url } = await world();
    const { reader, set } = await falseTime(context, url);
    const said: string[] = [];
    const tell = (_: object, message: string) => said.push(message);
    const clock = await openDatabaseClock(reader.store, {
      machine: monotonicClock,
      log: { info: tell, warn: tell, error: tell },
      everyMs: 20,
    });
    onTestFinished(clock.close);
    await set(AHEAD_MS);
    await expect.poll(() => clock.problem(), PATIENT).toContain('7.0 h ahead of');
    expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(MINUTE_MS);
    await set(0);
    await expect.poll(() => clock.problem(), PATIENT).toBeNull();
    const told = said.filter((message) => !message.includes('too late'));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain('7.0 h ahead of');
  });

  test("causes no repair of schedules while a worker's database is behind, but a repair once the database's time is right", async () => {
    const { context, caller, time, url } = await world();
    const { store } = context;
    time.aheadMs = AHEAD_MS;
    const late = await addDomain(context, caller, 'late.acme.com');
    time.aheadMs = 0;
    const healthy = await addDomain(context, caller, 'healthy.acme.com');
    const leaseEnd = await takeJob(context, healthy);
    const due = await findJobDue(store, late, ['check_dns']);
    const { reader, set } = await falseTime(context, url);
    await set(-AHEAD_MS);
    const clock = await openDatabaseClock(reader.store, {
      machine: monotonicClock,
      log: QUIET,
      everyMs: 20,
    });
    onTestFinished(clock.close);
    await keepSchedulesRepaired({ ...reader, clock }, clock);
    expect(await findJobDue(store, late, ['check_dns'])).toBe(due);
    await set(0);
    await expect
      .poll(() => findJobDue(store, late, ['check_dns']), PATIENT)
      .toBeLessThan(context.clock.now() + MINUTE_MS);
    expect(await findJobDue(store, healthy, ['check_dns'])).toBe(leaseEnd);
  });

  test('does not end the lease of a healthy worker if a node starts while its database is behind', async () => {
    const { context, caller, config, url } = await world();
    const id = await addDomain(context, caller, 'healthy.acme.com');
    const leaseEnd = await takeJob(context, id);
    const { set } = await falseTime(context, url);
    await set(-AHEAD_MS);
    const node = await startNode(config, QUIET);
    onTestFinished(() => node.stop());
    expect(await findJobDue(context.store, id, ['check_dns'])).toBe(leaseEnd);
  });

  test("does not prevent a worker's start if the repair of schedules fails, and the repair is retried", async () => {
    const { context, caller, time, config } = await world();
    const { store } = context;
    time.aheadMs = AHEAD_MS;
    const late = await addDomain(context, caller, 'late.acme.com');
    time.aheadMs = 0;
    await sql`alter table rate_windows rename to rate_windows_away`.execute(store.db);
    const node = await startNode(config, QUIET, { clock: systemClock });
    await node.stop();
    const clock = await openDatabaseClock(store, { machine: monotonicClock, log: QUIET, everyMs: 20 });
    onTestFinished(clock.close);
    await keepSchedulesRepaired({ ...context, log: QUIET }, clock);
    await sql`alter table rate_windows_away rename to rate_windows`.execute(store.db);
    await expect
      .poll(() => findJobDue(store, late, ['check_dns']), PATIENT)
      .toBeLessThan(context.clock.now() + MINUTE_MS);
  });

  test('causes a repair of schedules, which is retried after a deadlock with a worker', async () => {
    const { context } = await world();
    const { store, clock } = context;
    const ahead = clock.now() + AHEAD_MS;
    for (const [n, subject] of ['dom_a', 'dom_b'].entries()) {
      await sql`insert into jobs values ('advance', ${subject}, null, ${ahead + n}, 'lea_late', 0)`.execute(
        store.db,
      );
    }
    const worker = await store.db.startTransaction().execute();
    const lock = (subject: string) =>
      sql`select from jobs where subject_id = ${subject} for update`.execute(worker);
    // Postgres aborts the transaction that detects the deadlock first. The long timeout makes the other transaction detect the deadlock.
    await sql`set local deadlock_timeout = '1min'`.execute(worker);
    await lock('dom_b');
    const repair = repairSchedules(context).catch((error: unknown) => error);
    const waiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
      return rows.length;
    };
    await expect.poll(waiting, PATIENT).toBe(1);
    await lock('dom_a');
    await worker.commit().execute();
    expect(await repair).toBe(2);
  });

  /** A machine with a clock that the test moves, and a database with a real clock. */
  function movedMachine() {
    const time = { passedMs: 0 };
    const machine = { now: () => monotonicClock.now() + time.passedMs };
    const wall = { now: () => systemClock.now() + time.passedMs };
    return { time, machine, wall };
  }

  test('is not inferred from a wait for a connection', async () => {
    const { healthStore } = (await world()).database;
    const { time, machine } = movedMachine();
    const hold = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const held = inTransaction(healthStore, () => {
      isHeld.resolve();
      return hold.promise;
    });
    await isHeld.promise;
    const opening = openDatabaseClock(healthStore, { machine, log: QUIET });
    time.passedMs += SLOW_MS;
    hold.resolve();
    const clock = await opening;
    onTestFinished(clock.close);
    await held;
    expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(SLOW_MS / 4);
  });

  test('is not inferred from a slow response of the database', async () => {
    const { store } = (await world()).context;
    const { time, machine, wall } = movedMachine();
    let slowReplies = -1;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (slowReplies++ >= 0) time.passedMs += SLOW_MS;
        return result;
      },
    };
    const slow = { ...store, db: store.db.withPlugin(plugin) };
    const clock = await openDatabaseClock(slow, { machine, wall, log: QUIET, everyMs: 20 });
    onTestFinished(clock.close);
    await expect.poll(() => slowReplies, PATIENT).toBeGreaterThan(2);
    expect(Math.abs(clock.now() - wall.now())).toBeLessThan(SLOW_MS / 4);
  });
});
