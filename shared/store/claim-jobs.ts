import { sql } from 'kysely';
import type { JobKind } from '../core/domains/job.ts';
import type { LeaseId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import {
  type AppRoom,
  type AppsWanted,
  appsBehind,
  claimInTurn,
  type DueApp,
  findDueApps,
  lockDue,
  type QueueTable,
  readDue,
} from './due-apps.ts';
import type { LeasedJob } from './jobs/jobs.ts';
import { updateRows } from './row-list.ts';
import { inTransaction, type Store } from './store.ts';

export interface JobClaim<K extends JobKind = JobKind> {
  now: Instant;
  lease_until: Instant;
  makeLeaseId: () => LeaseId;
  kinds: readonly K[];
  limit: number;
  /** Returns which apps to consider for a kind. By default, up to `limit` apps of all accounts. */
  wanted?: (kind: K) => Omit<AppsWanted, 'kind'>;
  /** Begins to distribute the free worker slots among apps. By default, one app may get all slots. */
  shareOut?: () => JobShares;
}

export interface JobShares {
  /** Returns how many jobs of an app may start if no job of another app starts. */
  roomOf: (app: DueApp<JobKind>) => number;
  /** Returns whether to claim a job of this app. Called for each due job, the earliest first. */
  takes: (app: DueApp<JobKind>) => boolean;
}

const JOBS: QueueTable = {
  table: 'jobs',
  subject: 'subject_id',
  columns: ['subject_id', 'attempts'],
  // The index contains this expression. The queue of jobs without an app has the app id ''.
  inQueue: (kind, appId) => sql`jobs.kind = ${kind} and coalesce(jobs.app_id, '') = ${appId}`,
};

/** The statement has one query per app in a `union all`, and SQLite allows at most 500 queries there. */
const APPS_READ_MAX = 400;

/**
 * Claims due jobs under a lease, and returns them in the order in which they became due. Reads the apps whose jobs have waited longest, and
 * only as many jobs of each app as may start. So the backlog of one app or kind does not slow down other apps or kinds.
 */
export async function claimJobs<K extends JobKind>(
  store: Store,
  claim: JobClaim<K>,
): Promise<LeasedJob<K>[]> {
  const leased = await claimInTurn(store, JOBS, () =>
    inTransaction(store, async (tx) => {
      const { apps, behind } = await chooseApps(tx, claim);
      const { rows } = await lockDue<ReadJob>(tx, JOBS, apps, claim.now, claim.limit);
      const accountOf = new Map(apps.map(({ app_id, account_id }) => [app_id, account_id]));
      const jobs = rows.map((row) => ({
        ...row,
        app_id: row.app_id === '' ? null : row.app_id,
        account_id: accountOf.get(row.app_id) ?? null,
        lease_id: claim.makeLeaseId(),
        leased_until: claim.lease_until,
        attempts: row.attempts + 1,
      }));
      await updateRows(
        tx,
        'jobs',
        ['kind', 'subject_id'],
        { kind: 'text', subject_id: 'text', lease_id: 'text', leased_until: 'bigint', attempts: 'bigint' },
        jobs,
      );
      return { rows: jobs, behind };
    }),
  );
  return leased.sort(inTurn).map(({ leased_until: _until, ...job }) => job as LeasedJob<K>);
}

/**
 * Returns the apps to claim jobs of, the number of jobs for each, and the apps whose rows in `due_apps` need an update. Reads due jobs
 * without locks. The claim then locks the first jobs that no other claim has locked, so two simultaneous claims take different jobs.
 */
async function chooseApps<K extends JobKind>(
  store: Store,
  { now, kinds, limit, wanted = () => ({ appsMax: limit, fullAccounts: [] }), shareOut }: JobClaim<K>,
): Promise<{ apps: AppRoom[]; behind: DueApp[] }> {
  const { roomOf, takes } = shareOut?.() ?? { roomOf: () => limit, takes: () => true };
  const ofKinds = kinds.map((kind) => ({ kind, ...wanted(kind) }));
  const apps = (await findDueApps<JobKind>(store, now, ofKinds))
    .map((app) => ({ ...app, room: Math.min(roomOf(app), limit) }))
    .filter(({ room }) => room > 0)
    .slice(0, APPS_READ_MAX);
  const rows = await readDue(store, JOBS, apps, now);
  const rooms = new Map(apps.map((app) => [`${app.kind} ${app.app_id}`, { ...app, room: 0 }]));
  let left = limit;
  for (const { kind, app_id } of rows.sort((one, other) => one.due_at - other.due_at)) {
    const app = rooms.get(`${kind} ${app_id}`);
    if (app === undefined || left === 0 || !takes(app)) continue;
    app.room++;
    left--;
  }
  return { apps: [...rooms.values()].filter(({ room }) => room > 0), behind: appsBehind(apps, rows) };
}

type ReadJob = Pick<LeasedJob, 'subject_id' | 'attempts'>;
type JobOrder = { due_at: Instant; kind: string; subject_id: string };

function inTurn(one: JobOrder, other: JobOrder): number {
  return (
    one.due_at - other.due_at || compare(one.kind, other.kind) || compare(one.subject_id, other.subject_id)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
