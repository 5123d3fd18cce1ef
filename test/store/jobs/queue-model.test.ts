import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import { type LeasedLane, lanesRelease } from '../../../shared/store/events/lanes.ts';
import {
  dropJobLeases,
  finishJob,
  hastenJob,
  type JobLease,
  postponeJob,
  scheduleJob,
} from '../../../shared/store/jobs/jobs.ts';
import { endLeases, pullBackJobs } from '../../../shared/store/pull-back.ts';
import { runTogether } from '../../../shared/store/run-together.ts';
import { inTransaction, type Store, type Tx } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { claimDue } from '../events/lane-claims.ts';
import { openDatabase } from '../open-postgres.ts';
import { openMemory } from '../open-sqlite.ts';
import { migratedStore } from '../open-store.ts';
import { NOW } from '../rows.ts';
import { wakeLane } from '../writes.ts';
import { jobTable } from './job-table.ts';

const APPS = ['app_a', 'app_b', null] as const;
const KINDS = ['check_dns', 'renew'] as const;
const WRITERS = 3;

describe("the store's queues work on SQLite", () => sequences(migratedStore(openMemory), 1));
describePostgres("the store's queues work on Postgres", () => {
  const store = migratedStore(openDatabase);
  sequences(store, WRITERS);
  parallel(store);
});

/** A step of a test: a change by a writer in its transaction, or a step of a worker. */
type Step =
  | { of: 'write'; writer: number; how: 'schedule' | 'hasten' | 'wake'; n: number; after: number }
  | { of: 'end'; writer: number; commits: boolean }
  | { of: 'claim'; limit: number; room: number }
  | { of: 'finish'; how: 'delete' | 'again' | 'postpone' | 'abandon'; after: number }
  | { of: 'repair'; how: 'drop' | 'leases' | 'pull back' }
  | { of: 'wait'; ms: number };

const after = fc.integer({ min: -90_000, max: 90_000 });
const writer = fc.nat({ max: WRITERS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      of: fc.constant('write' as const),
      writer,
      how: fc.constantFrom('schedule' as const, 'hasten' as const, 'wake' as const),
      n: fc.nat({ max: 8 }),
      after,
    }),
  },
  { weight: 2, arbitrary: fc.record({ of: fc.constant('end' as const), writer, commits: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      of: fc.constant('claim' as const),
      limit: fc.integer({ min: 1, max: 6 }),
      room: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      of: fc.constant('finish' as const),
      how: fc.constantFrom('delete' as const, 'again' as const, 'postpone' as const, 'abandon' as const),
      after,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      of: fc.constant('repair' as const),
      how: fc.constantFrom('drop' as const, 'leases' as const, 'pull back' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ of: fc.constant('wait' as const), ms: fc.constantFrom(1, 1_000, 40_000, 70_000) }),
  },
);

/** Tests random sequences of writes, late commits, claims and ended jobs. If there is one writer, each write commits at once. */
function sequences(store: () => Tx, writers: number): void {
  test('let claims find all due work after any sequence of writes, late commits, rollbacks and lost workers', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(step, { minLength: 10, maxLength: 80, size: 'max' }), (steps) => run(steps))
        .beforeEach(async () => {
          for (const table of ['jobs', 'lanes', 'due_apps'] as const)
            await store().db.deleteFrom(table).execute();
        }),
      { numRuns: writers === 1 ? 150 : 40 },
    );
  });

  async function run(steps: readonly Step[]): Promise<void> {
    const { claim } = jobTable(store);
    const open = new Map<number, { tx: Tx; end: (commits: boolean) => Promise<void> }>();
    const jobs: JobLease[] = [];
    const lanes: LeasedLane[] = [];
    let now = NOW;

    async function storeOf(n: number): Promise<Tx> {
      if (writers === 1) return store();
      const known = open.get(n);
      if (known !== undefined) return known.tx;
      const db = await store().db.startTransaction().execute();
      const end = async (commits: boolean) => {
        await (commits ? db.commit() : db.rollback()).execute();
      };
      const tx = { ...store(), db, last: [] };
      open.set(n, { tx, end });
      return tx;
    }

    /** Returns true if no open transaction can have locked a subject. A wait for a lock would block the test, which runs in one thread. */
    const isFree = (id: string) => !open.has(Number(id.split('_')[1]));

    for (const each of steps) {
      if (each.of === 'wait') now += each.ms;
      if (each.of === 'write') {
        const subject = `dom_${each.writer}_${each.n}`;
        const appId = APPS[each.n % APPS.length] ?? null;
        const tx = await storeOf(each.writer);
        const job = {
          kind: KINDS[each.n % 2] ?? 'renew',
          subject_id: subject,
          app_id: appId,
          due_at: now + each.after,
        } as const;
        if (each.how === 'schedule') await scheduleJob(tx, job);
        if (each.how === 'hasten') await hastenJob(tx, job);
        if (each.how === 'wake' && appId !== null)
          await wakeLane(tx, subject as DomainId, appId as AppId, now + each.after);
      }
      if (each.of === 'end') {
        await open.get(each.writer)?.end(each.commits);
        open.delete(each.writer);
      }
      if (each.of === 'claim') {
        const takes = () => true;
        jobs.push(
          ...(await claim(now, { limit: each.limit, shareOut: () => ({ roomOf: () => each.room, takes }) })),
        );
        lanes.push(...(await claimDue(store(), now, { lanesMax: each.limit, roomOf: () => each.room })));
      }
      if (each.of === 'finish' && each.how !== 'abandon') {
        const job = jobs.findIndex(({ subject_id }) => isFree(subject_id));
        const [ended] = job < 0 ? [] : jobs.splice(job, 1);
        const dueAt = now + each.after;
        if (ended !== undefined && each.how === 'postpone') await postponeJob(store(), ended, dueAt);
        else if (ended !== undefined) await finishJob(store(), ended, each.how === 'delete' ? null : dueAt);
        const lane = lanes.findIndex(({ domain_id }) => isFree(domain_id));
        const released = lane < 0 ? [] : lanes.splice(lane, 1);
        const rows = released.map((row) => ({ ...row, due_at: each.how === 'delete' ? null : dueAt }));
        await runTogether(store(), ...lanesRelease(store(), rows));
      }
      if (each.of === 'repair' && open.size === 0) {
        if (each.how === 'drop') await dropJobLeases(store(), now);
        if (each.how === 'leases') await endLeases(store(), now + 20_000, now);
        if (each.how === 'pull back') await pullBackJobs(store(), 'renew', now + 50_000, now);
      }
      expect(await uncovered(store())).toEqual([]);
    }
    for (const { end } of open.values()) await end(true);
    await expectAllFound(store, now);
  }
}

function parallel(store: () => Tx): void {
  test('lose no work and do not deadlock in simultaneous claims and writes', async () => {
    const { claim } = jobTable(store);
    let now = NOW;
    const changes = Array.from({ length: 12 }, (_, w) =>
      (async () => {
        for (let round = 0; round < 40; round++) {
          await store()
            .db.transaction()
            .execute(async (db) => {
              const tx = { ...store(), db, last: [] };
              const apps = w % 2 === 0 ? APPS : APPS.toReversed();
              for (const [n, appId] of apps.entries()) {
                const subject = `dom_${w}_${(round + n) % 9}_${appId}`;
                const dueAt = now + ((round * 7919 + n * 104_729) % 60_000) - 50_000;
                await scheduleJob(tx, { kind: 'renew', subject_id: subject, app_id: appId, due_at: dueAt });
                if (appId !== null) await wakeLane(tx, subject as DomainId, appId as AppId, dueAt);
              }
            });
        }
      })(),
    );
    const workers = Array.from({ length: 6 }, () =>
      (async () => {
        for (let round = 0; round < 60; round++) {
          now += 50;
          for (const job of await claim(now, { limit: 3 }))
            await finishJob(store(), job, round % 3 === 0 ? now + 10 : null);
          const lanes = await claimDue(store(), now, { lanesMax: 3 });
          const rows = lanes.map((lane, i) => ({ ...lane, due_at: i % 2 === 0 ? now + 10 : null }));
          await inTransaction(store(), (tx) => runTogether(tx, ...lanesRelease(tx, rows)));
        }
      })(),
    );
    await Promise.all([...changes, ...workers]);
    expect(await uncovered(store())).toEqual([]);
    await expectAllFound(store, now);
  });
}

/** Claims until a claim returns nothing. Expects that no due work is left and that no job was returned twice. */
async function expectAllFound(store: () => Tx, now: number): Promise<void> {
  const { claim } = jobTable(store);
  const claimed: string[] = [];
  for (;;) {
    const jobs = await claim(now, { limit: 5 });
    const lanes = await claimDue(store(), now, { lanesMax: 5, roomOf: () => 2 });
    if (jobs.length + lanes.length === 0) break;
    claimed.push(...jobs.map(({ kind, subject_id }) => `${kind} ${subject_id}`));
    claimed.push(...lanes.map(({ domain_id }) => domain_id));
  }
  expect(new Set(claimed).size).toBe(claimed.length);
  const { rows } = await sql`
    select subject_id as id from jobs where due_at <= ${now} and leased_until <= ${now}
    union all select domain_id from lanes where due_at <= ${now} and leased_until <= ${now}`.execute(
    store().db,
  );
  expect(rows).toEqual([]);
  expect(await uncovered(store())).toEqual([]);
}

/** Returns the jobs and event queues (lanes) for which `due_apps` has no row, or only rows with later times. */
async function uncovered({ db }: Store): Promise<unknown[]> {
  const claimableAt = sql`case when leased_until > due_at then leased_until else due_at end`;
  const { rows } = await sql`
    select * from (
      select kind, coalesce(app_id, '') as app_id, subject_id, due_at, ${claimableAt} as claimable_at from jobs
      union all select 'deliver', app_id, domain_id, due_at, ${claimableAt} from lanes where due_at is not null
    ) work
    where not exists (
      select 1 from due_apps each where each.kind = work.kind and each.app_id = work.app_id
        and each.wake_at <= work.claimable_at and each.first_due_at <= work.due_at)`.execute(db);
  return rows;
}
