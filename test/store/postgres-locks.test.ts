import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../service/database/postgres-store.ts';
import { JOB_KINDS } from '../../shared/core/domains/job.ts';
import type { DomainId, LeaseId } from '../../shared/core/ids.ts';
import type { StoredEvent } from '../../shared/core/webhooks/delivery.ts';
import { insertAccount, lockAccount, updateAccount } from '../../shared/store/accounts/accounts.ts';
import { insertApp, lockApp, updateApp } from '../../shared/store/accounts/apps.ts';
import { claimJobs } from '../../shared/store/claim-jobs.ts';
import {
  lockDomain,
  lockDomainById,
  lockDomainUnderLease,
  saveDomain,
} from '../../shared/store/domains/domains.ts';
import { lockClaimants } from '../../shared/store/domains/domains-of-hostname.ts';
import { findHoldUntilCommit, insertHold, lockHolds } from '../../shared/store/domains/holds.ts';
import { lockEventsUnderLease } from '../../shared/store/events/events.ts';
import {
  claimLanes,
  lockLane,
  lockScheduledLanes,
  scheduleFreeLanes,
} from '../../shared/store/events/lanes.ts';
import { scheduleJob, scheduleLeasedJob } from '../../shared/store/jobs/jobs.ts';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import { autocommit, closeStore, inTransaction, type Tx } from '../../shared/store/store.ts';
import { createDatabase, describePostgres, type TestDatabase } from '../fixtures/postgres/postgres.ts';
import { aDomain, anAccount, anApp, anEvent, NOW, newId, scopeOf } from './rows.ts';
import { insertDomain, insertEvent, wakeLane } from './writes.ts';

const LOOKS_MAX = 1000;

/** Tests several nodes that write at the same time, which only Postgres allows. */
describePostgres('Postgres coordinates two nodes of the service', () => {
  let database: TestDatabase;
  let one: Tx;
  let two: Tx;
  const errors: Error[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    [one, two] = [open(), open()];
    await Promise.all([migrateSchema(one), migrateSchema(two)]);
  });
  afterAll(async () => {
    const unexpected = [...errors];
    for (const store of [one, two]) if (store) await closeStore(store);
    await database?.[Symbol.asyncDispose]();
    expect(unexpected).toEqual([]);
  });

  function open(
    onIdleError = (error: Error): void => {
      errors.push(error);
    },
  ): Tx {
    return autocommit(openPostgresStore({ connectionString: database.url, onIdleError }).store);
  }

  /** Runs the work in a transaction that stays open until the test ends it. */
  async function during<T>(work: (tx: Tx) => Promise<T>) {
    const done = Promise.withResolvers<T>();
    const end = Promise.withResolvers<void>();
    const committed = inTransaction(one, async (tx) => {
      done.resolve(await work(tx));
      await end.promise;
    });
    committed.catch(done.reject);
    onTestFinished(() => end.resolve());
    return {
      result: await done.promise,
      commit() {
        end.resolve();
        return committed;
      },
    };
  }

  async function somebodyWaits(): Promise<void> {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        one.db,
      );
      if (rows.length > 0) return;
    }
    throw new Error('No transaction waits for a lock');
  }

  test('lets a claim of deliveries skip deliveries that another transaction is claiming, without waiting', async () => {
    const appId = newId('app');
    const lanes = Array.from({ length: 5 }, () => newId('dom'));
    for (const [i, id] of lanes.entries()) await wakeLane(one, id, appId, NOW + i);
    const claim = (tx: Tx, room: number) =>
      claimLanes(tx, {
        now: NOW + 9,
        lease_until: NOW + 99,
        makeLeaseId: () => newId('lea'),
        appsMax: 9,
        afterAppId: '',
        fullAccounts: [],
        roomOf: () => room,
        lanesMax: 9,
      });
    const first = await during((tx) => claim(tx, 3));
    const second = await inTransaction(two, (tx) => claim(tx, 9));
    await first.commit();
    expect(first.result.rows.map(({ domain_id }) => domain_id)).toEqual(lanes.slice(0, 3));
    expect(second.rows.map(({ domain_id }) => domain_id)).toEqual(lanes.slice(3));
  });

  test('lets a claim of jobs skip jobs that another transaction is claiming, without waiting', async () => {
    const jobs = Array.from({ length: 5 }, () => newId('dom'));
    for (const [i, subjectId] of jobs.entries())
      await scheduleJob(one, { kind: 'expire', subject_id: subjectId, app_id: null, due_at: NOW + i });
    const claim = (tx: Tx, limit: number) =>
      claimJobs(tx, {
        now: NOW + 9,
        lease_until: NOW + 99,
        makeLeaseId: () => newId('lea'),
        kinds: JOB_KINDS,
        limit,
      });
    const first = await during((tx) => claim(tx, 3));
    const second = await inTransaction(two, (tx) => claim(tx, 9));
    await first.commit();
    expect(first.result.map(({ subject_id }) => subject_id)).toEqual(jobs.slice(0, 3));
    expect(second.map(({ subject_id }) => subject_id)).toEqual(jobs.slice(3));
  });

  test.each([
    ['returns null if the transaction with the lock replaced the job', true],
    ['returns the domain if that transaction changed only the domain', false],
  ])('makes lockDomainUnderLease wait for the lock of the domain; then it %s', async (_, isReplaced) => {
    const domain = aDomain();
    await insertDomain(one, domain);
    const job = { kind: 'check_dns', subject_id: domain.id, app_id: domain.app_id, due_at: NOW } as const;
    const lease = { ...job, lease_id: newId('lea') };
    await scheduleLeasedJob(one, lease);
    const { result: tx, commit } = await during(async (first) => {
      await lockDomainById(first, domain.id);
      return first;
    });
    const second = inTransaction(two, (waiting) => lockDomainUnderLease(waiting, lease));
    await somebodyWaits();
    // The second transaction waits for the domain and locks the job only afterwards, so it does not block this write.
    if (isReplaced) await scheduleJob(tx, job);
    const changed = { ...domain, routed_through: 'k3x9.edge.example' };
    await saveDomain(tx, changed);
    await commit();
    expect(await second).toEqual(isReplaced ? null : changed);
  });

  test('leaves out a domain that was added while the claimants of a hostname were being locked', async () => {
    const [app, other] = [anApp(), anApp()];
    for (const each of [app, other]) await insertApp(one, each);
    const domain = aDomain({ mode: 'live', app_id: app.id });
    await insertDomain(one, domain);
    const first = await during((tx) => lockDomainById(tx, domain.id));
    const claimants = inTransaction(two, (tx) => lockClaimants(tx, domain.id));
    await somebodyWaits();
    await insertDomain(one, aDomain({ mode: 'live', hostname: domain.hostname, app_id: other.id }));
    await first.commit();
    expect((await claimants).map((each) => each.domain.id)).toEqual([domain.id]);
    expect(await inTransaction(two, (tx) => lockClaimants(tx, domain.id))).toHaveLength(2);
  });

  test('locks the scheduled deliveries of an app, without the ones that were taken off the schedule meanwhile', async () => {
    const app = anApp();
    await insertApp(one, app);
    const ids = Array.from({ length: 4 }, () => newId('dom'));
    for (const [n, id] of ids.entries()) await wakeLane(one, id, app.id, NOW + n);
    const first = await during(async (tx) => {
      const lanes = await lockScheduledLanes(tx, app.id, 2, null);
      await scheduleFreeLanes(
        tx,
        lanes.map(({ domain_id }) => domain_id),
      );
    });
    const second = inTransaction(two, (tx) => lockScheduledLanes(tx, app.id, 2, null));
    await somebodyWaits();
    await first.commit();
    expect((await second).map(({ domain_id }) => domain_id)).toEqual(ids.slice(2));
  });

  test('makes the lock of a domain wait for the current lock, and then shows what was written under the current lock', async () => {
    const domain = aDomain();
    await insertDomain(one, domain);
    const first = await during((tx) => lockDomain(tx, scopeOf(domain), domain.id));
    const second = inTransaction(two, (tx) => lockDomainById(tx, domain.id));
    await somebodyWaits();
    await first.commit();
    expect(await second).toEqual(domain);
    const writer = await during((tx) => saveDomain(tx, { ...domain, status: 'deleted' }));
    const reader = inTransaction(two, (tx) => lockDomain(tx, scopeOf(domain), domain.id));
    await somebodyWaits();
    await writer.commit();
    expect(await reader).toBeNull();
  });

  test('makes the lock of an app or an account wait for the current lock, and then shows what was written under it', async () => {
    const [app, account] = [anApp(), anAccount()];
    await insertApp(one, app);
    await insertAccount(one, account);
    const first = await during(async (tx) => {
      await lockApp(tx, app.id);
      await lockAccount(tx, account.id);
      await updateApp(tx, app.id, { name: 'New' });
      await updateAccount(tx, { ...account, name: 'New' });
    });
    const lockedApp = inTransaction(two, (tx) => lockApp(tx, app.id));
    await somebodyWaits();
    const lockedAccount = inTransaction(two, (tx) => lockAccount(tx, account.id));
    await first.commit();
    expect((await lockedApp).name).toBe('New');
    expect((await lockedAccount).name).toBe('New');
  });

  test('makes a new hold wait for domains that are being created, and never makes the creation of a domain wait', async () => {
    const create = await during((tx) => findHoldUntilCommit(tx, 'careers.acme.com'));
    expect(await inTransaction(two, (tx) => findHoldUntilCommit(tx, 'careers.acme.com'))).toBeNull();
    const hold = { hostname: '*.acme.com', reason: null, created_at: NOW };
    const held = inTransaction(two, async (tx) => {
      await lockHolds(tx);
      await insertHold(tx, hold);
    });
    await somebodyWaits();
    await create.commit();
    await held;
    expect(await findHoldUntilCommit(one, 'careers.acme.com')).toEqual(hold);
  });

  test('shows a waiting hold to domains that are created after it', async () => {
    const hold = { hostname: 'late.acme.com', reason: null, created_at: NOW };
    const held = await during(async (tx) => {
      await lockHolds(tx);
      await insertHold(tx, hold);
    });
    const create = inTransaction(two, (tx) => findHoldUntilCommit(tx, 'late.acme.com'));
    await somebodyWaits();
    await held.commit();
    expect(await create).toEqual(hold);
  });

  test('locks the deliveries of domains in the order of the domains, for any order of rows and outcomes', async () => {
    const sent: { domain_id: DomainId; lease_id: LeaseId; event: StoredEvent }[] = [];
    for (const event of Array.from({ length: 5 }, () => anEvent()).toReversed()) {
      const { domain_id, app_id } = event;
      const leaseId = newId('lea');
      await insertEvent(one, event);
      await wakeLane(one, domain_id, app_id, NOW + 99);
      await one.db
        .updateTable('lanes')
        .set({ lease_id: leaseId })
        .where('domain_id', '=', domain_id)
        .execute();
      sent.push({ domain_id, lease_id: leaseId, event });
    }
    const first = sent.at(-1);
    if (first === undefined) throw new TypeError('nothing was sent');
    const holder = await during((tx) => lockLane(tx, first.domain_id, first.event.app_id));
    const recorder = inTransaction(two, (tx) => lockEventsUnderLease(tx, sent));
    await somebodyWaits();
    const ids = sent.map(({ domain_id }) => domain_id);
    const query = one.db.selectFrom('lanes').select('domain_id').where('domain_id', 'in', ids);
    const free = await query.orderBy('domain_id').forUpdate().skipLocked().execute();
    expect(free.map(({ domain_id }) => domain_id)).toEqual(ids.slice(0, -1).toReversed());
    await holder.commit();
    expect((await recorder).size).toBe(sent.length);
  });

  test('sorts every text column by bytes', async () => {
    const { rows } = await sql<{ columns: number; other: string[] | null }>`
      select count(*) as columns,
        array_agg(table_name || '.' || column_name) filter (where collation_name is distinct from 'C') as other
      from information_schema.columns
      where table_schema = current_schema() and data_type = 'text'`.execute(one.db);
    expect(rows[0]?.columns).toBeGreaterThan(50);
    expect(rows[0]?.other).toBeNull();
  });

  test('reports a connection that breaks while idle, and the store still works', async () => {
    const broken = Promise.withResolvers<Error>();
    const store = open(broken.resolve);
    const account = anAccount();
    await insertAccount(autocommit(store), account);
    await sql`select 'the last query'`.execute(store.db);
    const { rows } = await sql<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and query = 'select ''the last query''' and pid <> pg_backend_pid()`.execute(
      two.db,
    );
    expect(rows).toContainEqual({ ended: true });
    expect((await broken.promise).message).toMatch(/terminat/);
    expect(await lockAccount(store, account.id)).toEqual(account);
    await closeStore(store);
  });
});
