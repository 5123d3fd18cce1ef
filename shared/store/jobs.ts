import type { LeaseId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import type { DueJob, JobKind } from '../core/job.ts';
import { updateRows } from './row-list.ts';
import type { Store } from './store.ts';

/** A job under a lease. */
export interface LeasedJob {
  kind: JobKind;
  subject_id: string;
  due_at: Instant;
  lease_id: LeaseId;
}

export interface NewJob extends DueJob {
  subject_id: string;
  app_id: string | null;
}

/** Sets when a job is due, whatever it was; a worker that holds the old lease will find that it lost it. */
export async function scheduleJob(store: Store, job: NewJob): Promise<void> {
  await scheduleJobs(store, [job]);
}

async function scheduleJobs(store: Store, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await store.db
    .insertInto('jobs')
    .values(jobs.map((job) => ({ ...job, lease_id: null, attempts: 0 })))
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject_id'])
        .doUpdateSet((eb) => ({ due_at: eb.ref('excluded.due_at'), lease_id: null, attempts: 0 })),
    )
    .execute();
}

/** Schedules a job unless it is there already. */
export async function scheduleJobOnce(store: Store, job: NewJob): Promise<void> {
  await store.db
    .insertInto('jobs')
    .values({ ...job, lease_id: null, attempts: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The jobs of a subject become exactly these, among the kinds given. */
export async function replaceJobs(
  store: Store,
  subject: { subject_id: string; app_id: string },
  kinds: readonly JobKind[],
  jobs: readonly DueJob[],
): Promise<void> {
  const gone = kinds.filter((kind) => !jobs.some((job) => job.kind === kind));
  if (gone.length > 0) await cancelJobs(store, subject.subject_id, gone);
  await scheduleJobs(
    store,
    jobs.map((job) => ({ ...job, ...subject })),
  );
}

export async function cancelJobs(store: Store, subject_id: string, kinds: readonly JobKind[]): Promise<void> {
  await store.db.deleteFrom('jobs').where('subject_id', '=', subject_id).where('kind', 'in', kinds).execute();
}

/** Takes due jobs under a lease, in the order they came due. Call it within a transaction. */
export async function claimJobs(
  store: Store,
  claim: {
    now: Instant;
    lease_until: Instant;
    limit: number;
    kinds: readonly JobKind[];
    make_lease_id: () => LeaseId;
  },
): Promise<LeasedJob[]> {
  const due = store.db
    .selectFrom('jobs')
    .selectAll()
    .where('due_at', '<=', claim.now)
    .where('kind', 'in', claim.kinds)
    .orderBy('due_at')
    .orderBy('kind')
    .orderBy('subject_id')
    .limit(claim.limit);
  const rows = await (store.flags.row_locks ? due.forUpdate().skipLocked() : due).execute();
  const leased = rows.map((row) => ({ ...row, lease_id: claim.make_lease_id() }));
  await updateRows(
    store,
    'jobs',
    ['kind', 'subject_id'],
    { kind: 'text', subject_id: 'text', lease_id: 'text', due_at: 'bigint', attempts: 'bigint' },
    leased.map((row) => ({ ...row, due_at: claim.lease_until, attempts: row.attempts + 1 })),
  );
  return leased.map(({ kind, subject_id, due_at, lease_id }) => ({
    kind: kind as JobKind,
    subject_id,
    due_at,
    lease_id,
  }));
}

/** The job is done: due again then, or gone. Does nothing for a worker that lost its lease. */
export async function finishJob(store: Store, job: LeasedJob, due_at: Instant | null): Promise<void> {
  const mine = { kind: job.kind, subject_id: job.subject_id, lease_id: job.lease_id };
  if (due_at === null) {
    await store.db
      .deleteFrom('jobs')
      .where((eb) => eb.and(mine))
      .execute();
  } else {
    await store.db
      .updateTable('jobs')
      .set({ due_at, lease_id: null, attempts: 0 })
      .where((eb) => eb.and(mine))
      .execute();
  }
}

/** The job failed: due again then, its attempts kept. Does nothing for a worker that lost its lease. */
export async function postponeJob(store: Store, job: LeasedJob, due_at: Instant): Promise<void> {
  await store.db
    .updateTable('jobs')
    .set({ due_at, lease_id: null })
    .where((eb) => eb.and({ kind: job.kind, subject_id: job.subject_id, lease_id: job.lease_id }))
    .execute();
}

/** When the next job is due, of these kinds where they are given. Leases are left out: whoever polls finds one that ran out. */
export async function nextJobDue(store: Store, kinds?: readonly JobKind[]): Promise<Instant | null> {
  let query = store.db
    .selectFrom('jobs')
    .select((eb) => eb.fn.min('due_at').as('due_at'))
    .where('lease_id', 'is', null);
  if (kinds) query = query.where('kind', 'in', kinds);
  const row = await query.executeTakeFirst();
  return row?.due_at ?? null;
}

/** At the start of the only process that uses this database: every lease belongs to one that is gone. */
export async function dropJobLeases(store: Store, now: Instant): Promise<void> {
  await store.db
    .updateTable('jobs')
    .set({ due_at: now, lease_id: null })
    .where('lease_id', 'is not', null)
    .execute();
}

/** Whether the lease is still ours, with the job's row locked. */
export async function holdsJob(store: Store, job: LeasedJob): Promise<boolean> {
  const mine = { kind: job.kind, subject_id: job.subject_id, lease_id: job.lease_id };
  const query = store.db
    .selectFrom('jobs')
    .select('kind')
    .where((eb) => eb.and(mine));
  const row = await (store.flags.row_locks ? query.forUpdate() : query).executeTakeFirst();
  return row !== undefined;
}

/** A job as an operator sees it. */
export interface ListedJob extends NewJob {
  /** Starts since it last ended. */
  attempts: number;
  leased: boolean;
}

/** The next due first. */
export async function listJobs(
  store: Store,
  { due_before, attempts_min, limit }: { due_before?: Instant; attempts_min?: number; limit: number },
): Promise<ListedJob[]> {
  let query = store.db.selectFrom('jobs').selectAll();
  if (due_before !== undefined) query = query.where('due_at', '<=', due_before);
  if (attempts_min !== undefined) query = query.where('attempts', '>=', attempts_min);
  const rows = await query.orderBy('due_at').orderBy('kind').orderBy('subject_id').limit(limit).execute();
  return rows.map(({ lease_id, ...row }) => ({
    ...row,
    kind: row.kind as JobKind,
    leased: lease_id !== null,
  }));
}

/** Makes a job due and takes it from whoever holds it. @returns false where there is none. */
export async function retryJob(
  store: Store,
  kind: JobKind,
  subject_id: string,
  due_at: Instant,
): Promise<boolean> {
  const result = await store.db
    .updateTable('jobs')
    .set({ due_at, lease_id: null })
    .where((eb) => eb.and({ kind, subject_id }))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
