import { MINUTE_MS } from '../core/instant.ts';
import type { JobKind } from '../core/job.ts';
import { type Context, transact } from '../operations/context.ts';
import { claimJobs, finishJob, type LeasedJob, postponeJob } from '../store/jobs.ts';
import type { JobHandlers } from './handlers.ts';

/** Longer than any handler takes: the longest is a probe of six hops. */
const LEASE_MS = 2 * MINUTE_MS;
/** A handler that failed is tried again after this long. */
const RETRY_MS = MINUTE_MS;

/** Claims due jobs and runs them, in the order they came due. @returns how many there were. */
export async function runDueJobs(context: Context, handlers: JobHandlers, limit: number): Promise<number> {
  const kinds = Object.keys(handlers) as JobKind[];
  const jobs = await transact(context, async (tx) => {
    const now = tx.clock.now();
    return claimJobs(tx.store, {
      now,
      lease_until: now + LEASE_MS,
      limit,
      kinds,
      make_lease_id: () => tx.ids('lea'),
    });
  });
  for (const job of jobs) await runJob(context, handlers, job);
  return jobs.length;
}

async function runJob(context: Context, handlers: JobHandlers, job: LeasedJob): Promise<void> {
  try {
    const due_at = (await handlers[job.kind]?.(context, job)) ?? null;
    await finishJob(context.store, job, due_at);
  } catch (error) {
    context.log.error(
      { error, kind: job.kind, subject_id: job.subject_id },
      'a job failed; it will be tried again',
    );
    await postponeJob(context.store, job, context.clock.now() + RETRY_MS);
  }
}
