import { type RawBuilder, sql } from 'kysely';
import { JOB_KINDS, type JobKind } from '../core/domains/job.ts';
import type { AccountId, LeaseId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import { compileOnce } from './compile-once.ts';
import type { LeasedJob } from './jobs/jobs.ts';
import { unionOfKinds } from './jobs/union-of-kinds.ts';
import { rowList, updateRows } from './row-list.ts';
import { atMost } from './row-values.ts';
import type { Store } from './store.ts';

export interface JobClaim<K extends JobKind = JobKind> {
  now: Instant;
  lease_until: Instant;
  makeLeaseId: () => LeaseId;
  kinds: readonly K[];
  limit: number;
  /** Returns the limits for each kind. By default, up to `limit` jobs of any account are claimed. */
  roomOf?: (kind: JobKind) => JobRoom;
  /** Called with each due job in order; the job is claimed if it returns true. By default, all are claimed. */
  takes?: (job: Pick<LeasedJob, 'kind' | 'app_id' | 'account_id'>) => boolean;
}

export interface JobRoom {
  jobsMax: number;
  /** Accounts whose jobs are skipped. */
  fullAccounts: readonly AccountId[];
}

/**
 * Claims due jobs under a lease, in the order in which they became due. Reads each kind separately, so that a backlog of one kind does not
 * slow the others down. Call it within a transaction.
 */
export async function claimJobs<K extends JobKind>(
  store: Store,
  claim: JobClaim<K>,
): Promise<LeasedJob<K>[]> {
  const takes = claim.takes ?? (() => true);
  const rows = (await readDueJobs(store, claim)).sort(inTurn).filter(takes).slice(0, claim.limit);
  const leased = rows.map((row) => ({
    ...row,
    lease_id: claim.makeLeaseId(),
    attempts: row.attempts + 1,
  }));
  await updateRows(
    store,
    'jobs',
    ['kind', 'subject_id'],
    { kind: 'text', subject_id: 'text', lease_id: 'text', due_at: 'bigint', attempts: 'bigint' },
    leased.map(({ app_id: _app, account_id: _account, ...row }) => ({ ...row, due_at: claim.lease_until })),
  );
  return leased;
}

/** Reads due jobs. If a job has a `lease_id`, that lease has expired. */
async function readDueJobs<K extends JobKind>(store: Store, { now, kinds, limit, roomOf }: JobClaim<K>) {
  if (kinds.length === 0) return [];
  const rooms = new Map(kinds.map((kind) => [kind, roomOf?.(kind) ?? { jobsMax: limit, fullAccounts: [] }]));
  if ([...rooms.values()].every(({ fullAccounts }) => fullAccounts.length === 0)) {
    const limits = Object.fromEntries(JOB_KINDS.map((kind) => [kind, rooms.get(kind as K)?.jobsMax ?? 0]));
    const query = selectDueJobs(store, { ...(limits as Record<JobKind, number>), now });
    return (await store.db.executeQuery(query)).rows as LeasedJob<K>[];
  }
  const due = unionOfKinds(kinds, (kind) => dueJobs(store, kind, now, rooms.get(kind as K)));
  const { rows } = await sql<LeasedJob<K>>`${due}`.execute(store.db);
  return rows;
}

/** Selects the due jobs of any account. The value of a kind is the most of its jobs to read. */
const selectDueJobs = compileOnce<Record<JobKind | 'now', number>, LeasedJob>((store, given) => {
  const due = unionOfKinds(JOB_KINDS, (kind) =>
    dueJobs(store, kind, given.now, { jobsMax: given[kind], fullAccounts: [] }),
  );
  return sql<LeasedJob>`${due}`.compile(store.db);
});

function dueJobs(
  store: Store,
  kind: JobKind,
  now: Instant,
  { jobsMax, fullAccounts }: JobRoom = { jobsMax: 0, fullAccounts: [] },
): RawBuilder<unknown> {
  const lock = store.flags.rowLocks ? sql`for update skip locked` : sql``;
  return sql`
    select kind, subject_id, app_id, due_at, lease_id, attempts,
      (select account_id from apps where apps.id = jobs.app_id) as account_id from jobs
    where kind = ${sql.lit(kind)} and due_at <= ${now} ${notOf(store, fullAccounts)}
    order by due_at, subject_id limit ${atMost(jobsMax)} ${lock}`;
}

function notOf(store: Store, accounts: readonly AccountId[]): RawBuilder<unknown> {
  if (accounts.length === 0) return sql``;
  const given = rowList(
    store,
    { account_id: 'text' },
    accounts.map((accountId) => ({ account_id: accountId })),
  );
  const apps = sql`select id from apps where account_id in (select given.account_id from ${given})`;
  return sql`and (app_id is null or app_id not in (${apps}))`;
}

type JobOrder = Pick<LeasedJob, 'due_at' | 'kind' | 'subject_id'>;

function inTurn(one: JobOrder, other: JobOrder): number {
  return (
    one.due_at - other.due_at || compare(one.kind, other.kind) || compare(one.subject_id, other.subject_id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
