import { JOB_KINDS } from '../../../shared/core/domains/job.ts';
import { claimJobs, type JobClaim } from '../../../shared/store/claim-jobs.ts';
import { type LeasedJob, type NewJob, scheduleJob } from '../../../shared/store/jobs/jobs.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

export const JOB_LEASE_MS = 60_000;

export function aJob(change: Partial<NewJob> = {}): NewJob {
  return { kind: 'advance', subject_id: newId('dom'), app_id: newId('app'), due_at: NOW, ...change };
}

/** The operations on jobs that the tests use. */
export function jobTable(store: () => Tx) {
  const rows = () =>
    store()
      .db.selectFrom('jobs')
      .select(['kind', 'subject_id', 'app_id', 'due_at', 'lease_id', 'attempts'])
      .orderBy('due_at')
      .orderBy('kind')
      .execute();

  /** Returns the end of each job's lease, in the same order as `rows`. */
  async function leaseEnds(): Promise<number[]> {
    const query = store().db.selectFrom('jobs').select('leased_until').orderBy('due_at').orderBy('kind');
    return (await query.execute()).map(({ leased_until }) => leased_until);
  }

  async function schedule(...jobs: NewJob[]): Promise<void> {
    for (const job of jobs) await scheduleJob(store(), job);
  }

  /** Claims due jobs as a worker does. By default, claims all kinds without a limit. */
  function claim(now: number, change: Partial<JobClaim> = {}): Promise<LeasedJob[]> {
    const all = { limit: 1000, kinds: JOB_KINDS, makeLeaseId: () => newId('lea') };
    return inTransaction(store(), (tx) =>
      claimJobs(tx, { now, lease_until: now + JOB_LEASE_MS, ...all, ...change }),
    );
  }

  async function claimOne(now: number): Promise<LeasedJob> {
    const [job, ...more] = await claim(now);
    if (job === undefined || more.length > 0) throw new Error('Expected exactly one due job');
    return job;
  }

  return { rows, leaseEnds, schedule, claim, claimOne };
}
