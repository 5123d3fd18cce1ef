import type { JobKind } from '../core/domains/job.ts';
import { CLASS_OF, JOB_CLASSES, type JobClassName, retryAfterMs } from '../core/domains/job-class.ts';
import { leaseEnd } from '../core/domains/lease.ts';
import { MINUTE_MS } from '../core/instant.ts';
import { type Context, transact } from '../operations/context.ts';
import { claimJobs, type JobClaim } from '../store/claim-jobs.ts';
import { finishJob, type LeasedJob, postponeJob } from '../store/jobs/jobs.ts';
import { CommitUnknown } from '../store/unavailable.ts';
import type { JobHandlers } from './handlers.ts';
import { InFlight } from './in-flight.ts';

/**
 * Longer than any handler should take: a mail, a probe of six hops, or a certificate authority's turn of 30 seconds with its last step. A
 * handler that outlives its lease loses the job to another worker, and `finishJob` discards its result.
 */
const LEASE_MS = 2 * MINUTE_MS;

export interface JobWorker {
  /** Starts due jobs up to the limits, in the order in which they became due. @returns how many jobs it claimed. */
  claim(): Promise<number>;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
}

/**
 * Runs due jobs in parallel. It claims only as many as can start at once, so that no lease runs while its job waits. The limits depend on
 * what a job waits for (`shared/core/domains/job-class.ts`), and accounts share them.
 */
export function createJobWorker(context: Context, handlers: JobHandlers, onRoom: () => void): JobWorker {
  const kinds = Object.keys(handlers) as JobKind[];
  const slots = slotsOf((name) => new InFlight(JOB_CLASSES[name]));
  const running = new Set<Promise<void>>();

  async function run(job: LeasedJob): Promise<void> {
    const { kind, account_id } = job;
    slots[CLASS_OF[kind]].add(account_id, 1);
    try {
      await runJob(context, handlers, job);
    } finally {
      slots[CLASS_OF[kind]].add(account_id, -1);
    }
  }

  return {
    async claim() {
      const open = kinds.filter((kind) => slots[CLASS_OF[kind]].room(null) > 0);
      if (open.length === 0) return 0;
      const jobs = await transact(context, async (tx) => {
        const now = tx.clock.now();
        const leaseUntil = leaseEnd(tx.settings, now, LEASE_MS);
        const makeLeaseId = () => tx.ids('lea');
        return claimJobs(tx.store, {
          now,
          lease_until: leaseUntil,
          makeLeaseId,
          kinds: open,
          ...roomIn(slots),
        });
      });
      for (const job of jobs) {
        const done = run(job).finally(() => {
          running.delete(done);
          onRoom();
        });
        running.add(done);
      }
      return jobs.length;
    },
    async idle() {
      while (running.size > 0) await Promise.race(running);
    },
  };
}

type Slots = Readonly<Record<JobClassName, InFlight>>;

function slotsOf(make: (name: JobClassName) => InFlight): Slots {
  const names = Object.keys(JOB_CLASSES) as JobClassName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Slots;
}

/**
 * Returns what a claim may take. An account with more due jobs than its share gets its share and is skipped in the next claim, which reaches
 * the jobs behind. No claim reads more jobs than can start.
 */
function roomIn(slots: Slots): Pick<JobClaim, 'limit' | 'roomOf' | 'takes'> {
  const taken = slotsOf((name) => slots[name].copy());
  return {
    limit: Object.values(slots).reduce((sum, each) => sum + each.room(null), 0),
    roomOf(kind) {
      const each = slots[CLASS_OF[kind]];
      return { jobsMax: each.room(null), fullAccounts: each.full };
    },
    takes({ kind, account_id }) {
      const each = taken[CLASS_OF[kind]];
      if (each.room(account_id) === 0) return false;
      each.add(account_id, 1);
      return true;
    },
  };
}

async function runJob<K extends JobKind>(
  context: Context,
  handlers: JobHandlers,
  job: LeasedJob<K>,
): Promise<void> {
  const { kind, subject_id } = job;
  try {
    const dueAt = (await handlers[kind]?.(context, job)) ?? null;
    await finishJob(context.store, job, dueAt);
  } catch (error) {
    if (error instanceof CommitUnknown) {
      // The job is neither done nor failed. If the change was not saved, the job is due again once its lease ends.
      context.log.warn({ error, kind, subject_id }, 'the result of a job may not have been saved');
      return;
    }
    context.log.error({ error, kind, subject_id }, 'a job failed; it will be retried');
    const dueAt = context.clock.now() + retryAfterMs(kind, job.attempts);
    await postponeJob(context.store, job, dueAt).catch((lost: unknown) => {
      // The lease runs out, and the job is then due again.
      context.log.error({ error: lost, kind, subject_id }, 'a failed job could not be rescheduled');
    });
  }
}
