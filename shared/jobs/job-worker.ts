import { MINUTE_MS } from '../core/instant.ts';
import type { JobKind } from '../core/job.ts';
import { leaseEnd } from '../core/lease.ts';
import { type Context, transact } from '../operations/context.ts';
import { claimJobs, finishJob, type LeasedJob, postponeJob } from '../store/jobs.ts';
import type { JobHandlers } from './handlers.ts';

/** Longer than any handler takes: the longest is a probe of six hops. */
const LEASE_MS = 2 * MINUTE_MS;
/** A handler that failed is tried again after this long. */
const RETRY_MS = MINUTE_MS;
/** A job that waits for somebody else's server must not keep the others waiting. */
const IN_FLIGHT_MAX = 20;

export interface JobWorker {
  /** Starts what is due and there is room for, in the order it came due. @returns how many jobs were claimed. */
  claim(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

/** Runs due jobs side by side, as many as there is room for, so that a claimed one starts at once and its lease is true. */
export function createJobWorker(context: Context, handlers: JobHandlers, on_room: () => void): JobWorker {
  const kinds = Object.keys(handlers) as JobKind[];
  const running = new Set<Promise<void>>();

  return {
    async claim() {
      const limit = IN_FLIGHT_MAX - running.size;
      if (limit <= 0) return 0;
      const jobs = await transact(context, async (tx) => {
        const now = tx.clock.now();
        const lease_until = leaseEnd(tx.settings, now, LEASE_MS);
        return claimJobs(tx.store, { now, lease_until, limit, kinds, make_lease_id: () => tx.ids('lea') });
      });
      for (const job of jobs) {
        const done = runJob(context, handlers, job).finally(() => {
          running.delete(done);
          on_room();
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

async function runJob(context: Context, handlers: JobHandlers, job: LeasedJob): Promise<void> {
  const { kind, subject_id } = job;
  try {
    const due_at = (await handlers[kind]?.(context, job)) ?? null;
    await finishJob(context.store, job, due_at);
  } catch (error) {
    context.log.error({ error, kind, subject_id }, 'a job failed; it will be tried again');
    await postponeJob(context.store, job, context.clock.now() + RETRY_MS).catch((lost: unknown) => {
      // Its lease runs out, and it is due again then.
      context.log.error({ error: lost, kind, subject_id }, 'a failed job could not be put back');
    });
  }
}
