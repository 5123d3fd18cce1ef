import { type ExpressionBuilder, sql } from 'kysely';
import {
  type DomainJobKind,
  type DueJob,
  JOB_KINDS,
  type JobKind,
  type JobSubjects,
} from '../../core/domains/job.ts';
import type { AccountId, AppId, LeaseId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { QUEUED } from '../row-values.ts';
import type { Statement } from '../run-together.ts';
import type { Store, Tx } from '../store.ts';
import type { JobRow, Tables } from '../tables.ts';
import { unionOfKinds } from './union-of-kinds.ts';

/** A job that a worker has leased. It is a union by `kind`, which determines the type of `subject_id`. */
export type LeasedJob<K extends JobKind = JobKind> = {
  [Kind in K]: {
    kind: Kind;
    subject_id: JobSubjects[Kind];
    app_id: AppId | null;
    /** The account of the app. */
    account_id: AccountId | null;
    due_at: Instant;
    lease_id: LeaseId;
    /** Number of starts since the job last finished, including this one. */
    attempts: number;
  };
}[K];

/** A leased job whose subject is a domain. */
export type DomainJob = LeasedJob<DomainJobKind>;

/** The lease of a job. Only a worker with the current lease can finish the job. */
export interface JobLease {
  kind: JobRow['kind'];
  subject_id: string;
  lease_id: LeaseId;
}

export interface NewJob extends DueJob {
  subject_id: string;
  app_id: string | null;
}

/** Sets when a job is due, replacing any earlier time. A worker that has leased the job loses the lease. */
export async function scheduleJob(tx: Tx, job: NewJob): Promise<void> {
  await writeJobs(tx, [{ ...job, lease_id: null }]);
}

/**
 * Schedules a job that is already leased to the caller, who runs the job immediately. If the caller does not finish the job, another worker
 * claims it once the lease has expired.
 */
export async function scheduleLeasedJob(tx: Tx, job: Omit<JobRow, 'attempts'>): Promise<void> {
  await writeJobs(tx, [{ ...job, leased_until: job.due_at }]);
}

type WrittenJob = Omit<JobRow, 'attempts'> & { leased_until?: Instant };

async function writeJobs(tx: Tx, jobs: readonly WrittenJob[]): Promise<void> {
  if (jobs.length > 0) await tx.db.executeQuery(jobsWrite(tx, jobs));
}

function jobsWrite(tx: Tx, jobs: readonly WrittenJob[]): Statement {
  return tx.db
    .insertInto('jobs')
    .values(jobs.map((job) => ({ ...job, attempts: 0 })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject_id']).doUpdateSet((eb) => ({
        due_at: eb.ref('excluded.due_at'),
        lease_id: eb.ref('excluded.lease_id'),
        leased_until: eb.ref('excluded.leased_until'),
        attempts: eb.ref('excluded.attempts'),
      })),
    )
    .compile();
}

/** Schedules a job for `due_at`, or keeps an earlier time. Does nothing if the job is running. @returns false if the job is running. */
export async function hastenJob(tx: Tx, job: NewJob): Promise<boolean> {
  const result = await tx.db
    .insertInto('jobs')
    .values({ ...job, lease_id: null, attempts: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject_id'])
        .doUpdateSet((eb) => ({
          due_at: eb
            .case()
            .when('jobs.due_at', '<', eb.ref('excluded.due_at'))
            .then(eb.ref('jobs.due_at'))
            .else(eb.ref('excluded.due_at'))
            .end(),
          lease_id: null,
          leased_until: 0,
          attempts: 0,
        }))
        .where((eb) =>
          eb.or([eb('jobs.lease_id', 'is', null), eb('jobs.leased_until', '<=', eb.ref('excluded.due_at'))]),
        ),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Schedules a job, unless the subject already has a job of this kind. */
export async function scheduleJobOnce(tx: Tx, job: NewJob): Promise<void> {
  await tx.db
    .insertInto('jobs')
    .values({ ...job, lease_id: null, attempts: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the statements that replace a subject's jobs of the given kinds with exactly the given jobs. */
export function jobsReplacement(
  tx: Tx,
  subject: { subject_id: string; app_id: string },
  kinds: readonly JobKind[],
  jobs: readonly DueJob[],
): Statement[] {
  const gone = kinds.filter((kind) => !jobs.some((job) => job.kind === kind));
  const rows = jobs.map((job) => ({ ...job, ...subject, lease_id: null }));
  return [
    ...(gone.length > 0 ? [jobsDeletion(tx, subject.subject_id, gone)] : []),
    ...(rows.length > 0 ? [jobsWrite(tx, rows)] : []),
  ];
}

/** Returns the statement that deletes these jobs of a subject. */
export function jobsDeletion(tx: Tx, subjectId: string, kinds: readonly JobKind[]): Statement {
  return tx.db.deleteFrom('jobs').where('subject_id', '=', subjectId).where('kind', 'in', kinds).compile();
}

/** Finishes a job: makes it due again at `dueAt`, or deletes it if `dueAt` is null. Does nothing if the worker has lost the lease. */
export async function finishJob(tx: Tx, job: JobLease, dueAt: Instant | null): Promise<void> {
  if (dueAt === null) {
    await tx.db.deleteFrom('jobs').where(isOf(job)).execute();
  } else {
    await tx.db
      .updateTable('jobs')
      .set({ due_at: dueAt, lease_id: null, leased_until: 0, attempts: 0 })
      .where(isOf(job))
      .execute();
  }
}

/** Returns the condition that a row is this job, and that the worker has not lost the lease. */
function isOf({ kind, subject_id, lease_id }: JobLease) {
  return (eb: ExpressionBuilder<Tables, 'jobs'>) => eb.and({ kind, subject_id, lease_id });
}

/** Makes a failed job due later, and keeps its number of attempts. Does nothing if the worker has lost the lease. */
export async function postponeJob(tx: Tx, job: JobLease, dueAt: Instant): Promise<void> {
  await tx.db
    .updateTable('jobs')
    .set({ due_at: dueAt, lease_id: null, leased_until: 0 })
    .where(isOf(job))
    .execute();
}

/**
 * Returns when the next job of these kinds is due, optionally after a given time. Ignores leased jobs. If a lease expires, the next poll
 * claims the job.
 */
export async function nextJobDue(
  store: Store,
  kinds: readonly JobKind[] = JOB_KINDS,
  after: Instant = 0,
): Promise<Instant | null> {
  if (kinds.length === 0) return null;
  const next = unionOfKinds(
    kinds,
    (kind) => sql`
      select due_at from jobs where kind = ${sql.lit(kind)} and ${QUEUED} and due_at > ${after} and lease_id is null order by due_at limit 1`,
  );
  const { rows } = await sql<{
    due_at: Instant | null;
  }>`select min(due_at) as due_at from (${next}) jobs_next`.execute(store.db);
  return rows[0]?.due_at ?? null;
}

/** Sets when the lease of a job ends. @returns false if the worker has lost the lease. */
export async function extendLease(tx: Tx, job: JobLease, leaseUntil: Instant): Promise<boolean> {
  const result = await tx.db
    .updateTable('jobs')
    .set({ leased_until: leaseUntil })
    .where(isOf(job))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Releases every lease. Call this when the only process that uses this database starts, because every worker with a lease has then stopped.
 */
export async function dropJobLeases(tx: Tx, now: Instant): Promise<void> {
  await tx.db
    .updateTable('jobs')
    .set({ due_at: now, lease_id: null, leased_until: 0 })
    .where('lease_id', 'is not', null)
    .execute();
}

/** Locks the job's row and returns whether the worker still has its lease. Operations call this through `underLease`. */
export async function holdsJob(store: Store, job: JobLease): Promise<boolean> {
  const query = store.db.selectFrom('jobs').select('kind').where(isOf(job));
  const row = await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirst();
  return row !== undefined;
}

/** A job in an operator's list. */
export interface ListedJob extends NewJob {
  /** Number of starts since the job last finished. */
  attempts: number;
  leased: boolean;
}

/** Lists jobs, sorted by when they are due. */
export async function selectJobs(
  store: Store,
  { dueBefore, attemptsMin, limit }: { dueBefore?: Instant; attemptsMin?: number; limit: number },
): Promise<ListedJob[]> {
  const due = dueBefore === undefined ? sql`` : sql`and due_at <= ${dueBefore}`;
  const tried = attemptsMin === undefined ? sql`` : sql`and attempts >= ${attemptsMin}`;
  const next = unionOfKinds(
    JOB_KINDS,
    (kind) =>
      sql`select * from jobs where kind = ${sql.lit(kind)} and ${QUEUED} ${due} ${tried} order by due_at, subject_id limit ${limit}`,
  );
  const { rows } = await sql<JobRow & { leased_until: Instant }>`
    select * from (${next}) jobs_next order by due_at, kind, subject_id limit ${limit}`.execute(store.db);
  return rows.map(({ lease_id, leased_until: _until, ...row }) => ({
    ...row,
    kind: row.kind as JobKind,
    leased: lease_id !== null,
  }));
}

/**
 * Returns when the subject's next job of these kinds can be claimed: when it is due, or when its lease ends if that is later. Null if there
 * is no job.
 */
export async function findJobDue(
  store: Store,
  subjectId: string,
  kinds: readonly JobKind[],
): Promise<Instant | null> {
  const row = await store.db
    .selectFrom('jobs')
    .select((eb) =>
      eb.fn
        .min(
          eb
            .case()
            .when('leased_until', '>', eb.ref('due_at'))
            .then(eb.ref('leased_until'))
            .else(eb.ref('due_at'))
            .end(),
        )
        .as('due_at'),
    )
    .where('subject_id', '=', subjectId)
    .where('kind', 'in', kinds)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

/** Makes a job due now. A worker that has leased it loses the lease. @returns false if there is no such job. */
export async function makeJobDue(tx: Tx, kind: JobKind, subjectId: string, dueAt: Instant): Promise<boolean> {
  const result = await tx.db
    .updateTable('jobs')
    .set({ due_at: dueAt, lease_id: null, leased_until: 0 })
    .where((eb) => eb.and({ kind, subject_id: subjectId }))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
