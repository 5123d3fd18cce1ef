import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabaseClock } from '../../service/database-clock.ts';
import { createJsonLog } from '../../service/json-log.ts';
import { composeService } from '../../service/main.ts';
import { startNode } from '../../service/node.ts';
import type { DomainId } from '../../shared/core/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/core/instant.ts';
import { JOB_KINDS } from '../../shared/core/job.ts';
import type { Caller, Context } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/create-domain.ts';
import { deleteDomain } from '../../shared/operations/delete-domain.ts';
import { openAccount } from '../../shared/operations/operator/accounts.ts';
import { repairSchedules } from '../../shared/operations/repair-schedules.ts';
import { monotonicClock, systemClock } from '../../shared/ports/clock.ts';
import { claimJobs } from '../../shared/store/claim-jobs.ts';
import { findJobDue } from '../../shared/store/jobs.ts';
import { inTransaction } from '../../shared/store/store.ts';
import { describePostgres } from '../fixtures/postgres.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { migratedDatabase } from './migrated-database.ts';
import { testConfig } from './test-config.ts';

const QUIET = createJsonLog('silent', { write: () => undefined });
const AHEAD_MS = 7 * HOUR_MS;
const PATIENT = { timeout: 20_000, interval: 20 };

describePostgres('A clock that was ahead', () => {
  /** A deployment whose time a test moves. */
  async function world() {
    const database = await migratedDatabase();
    const receiver = await startReceiver();
    const time = { aheadMs: 0 };
    const clock = { now: () => systemClock.now() + time.aheadMs };
    const config = testConfig(database.url, { NAMEPLATE_ROLES: 'worker' });
    const { context, close } = await composeService(config, QUIET, { clock });
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
    return { context, caller, time, config, receiver, url: database.url };
  }

  async function addDomain(context: Context, caller: Caller, hostname: string): Promise<DomainId> {
    return (await createDomain(context, caller, { body: { hostname } })).body.id as DomainId;
  }

  test('holds no event back once a worker has restarted', async () => {
    const { context, caller, time, config, receiver } = await world();
    time.aheadMs = AHEAD_MS;
    const id = await addDomain(context, caller, 'late.acme.com');
    time.aheadMs = 0;
    const node = await startNode(config, QUIET, { clock: systemClock });
    onTestFinished(node.stop);
    await expect
      .poll(() => receiver.arrivals.map(({ body }) => JSON.parse(body).type), PATIENT)
      .toEqual(['domain.created']);
    // The domain's next events are dated later than its last one, and sent at once.
    await deleteDomain(context, caller, { params: { id } });
    await expect.poll(() => receiver.arrivals.length, PATIENT).toBe(2);
    const [created, deleted] = receiver.arrivals.map(({ body }) => JSON.parse(body));
    expect(deleted.type).toBe('domain.deleted');
    expect(Date.parse(deleted.created_at)).toBeGreaterThan(Date.parse(created.created_at));
  });

  test('leaves no jobs or leases that wait for it, and keeps those that are due by the right time', async () => {
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
        make_lease_id: () => context.ids('lea'),
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

  test('is not followed by a node that knows better, which reports it once until it is over', async () => {
    const { context, url } = await world();
    const { pathname } = new URL(url);
    // A database whose time can be set: its function of the same name comes first in the search path.
    await sql`create table false_time (ms bigint); insert into false_time values (0)`.execute(
      context.store.db,
    );
    await sql`create function clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() + (select ms from public.false_time) * interval '1 millisecond' $$`.execute(
      context.store.db,
    );
    await sql`alter database ${sql.id(pathname.slice(1))} set search_path = public, pg_catalog`.execute(
      context.store.db,
    );
    const { context: reader, close } = await composeService(testConfig(url), QUIET, { clock: systemClock });
    onTestFinished(close);
    const said: string[] = [];
    const tell = (_: object, message: string) => said.push(message);
    const clock = await openDatabaseClock(reader.store, {
      machine: monotonicClock,
      log: { info: tell, warn: tell, error: tell },
      every_ms: 20,
    });
    onTestFinished(clock.close);
    const set = (ms: number) => sql`update false_time set ms = ${ms}`.execute(context.store.db);
    await set(AHEAD_MS);
    await expect.poll(() => clock.problem(), PATIENT).toContain('7.0 h ahead of');
    expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(MINUTE_MS);
    await set(0);
    await expect.poll(() => clock.problem(), PATIENT).toBeNull();
    expect(said).toHaveLength(2);
    expect(said[0]).toContain('7.0 h ahead of');
  });
});
