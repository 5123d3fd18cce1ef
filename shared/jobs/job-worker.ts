import type { JobKind } from '../core/domains/job.ts';
import { CLASS_OF, JOB_CLASSES, type JobClassName, retryAfterMs } from '../core/domains/job-class.ts';
import { leaseEnd } from '../core/domains/lease.ts';
import { MINUTE_MS } from '../core/instant.ts';
import { type Context, transact } from '../operations/context.ts';
import { claimJobs, type JobClaim } from '../store/claim-jobs.ts';
import { finishJob, type LeasedJob, postponeJob } from '../store/jobs/jobs.ts';
import type { JobHandlers } from './handlers.ts';
import { InFlight } from './in-flight.ts';

/**
 * Longer than handlers take: a mail, a probe of six hops, a certificate authority's turn of 30 seconds and the step that is under way by
 * then. Who is slower has lost the job to another worker, and writes nothing.
 */
const LEASE_MS = 2 * MINUTE_MS;

export interface JobWorker {
  /** Starts what is due and there is room for, in the order it came due. @returns how many jobs were claimed. */
  claim(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

/**
 * Runs due jobs side by side, as many as there is room for, so that a claimed one starts at once and its lease is true. Room is by what
 * a job waits for (`shared/core/domains/job-class.ts`), and shared out among apps.
 */
export function createJobWorker(context: Context, handlers: JobHandlers, on_room: () => void): JobWorker {
  const kinds = Object.keys(handlers) as JobKind[];
  const slots = slotsOf((name) => new InFlight(JOB_CLASSES[name]));
  const running = new Set<Promise<void>>();

  async function run(job: LeasedJob): Promise<void> {
    const { kind, app_id } = job;
    slots[CLASS_OF[kind]].add(app_id, 1);
    try {
      await runJob(context, handlers, job);
    } finally {
      slots[CLASS_OF[kind]].add(app_id, -1);
    }
  }

  return {
    async claim() {
      const open = kinds.filter((kind) => slots[CLASS_OF[kind]].room(null) > 0);
      if (open.length === 0) return 0;
      const jobs = await transact(context, async (tx) => {
        const now = tx.clock.now();
        const lease_until = leaseEnd(tx.settings, now, LEASE_MS);
        const make_lease_id = () => tx.ids('lea');
        return claimJobs(tx.store, { now, lease_until, make_lease_id, kinds: open, ...roomIn(slots) });
      });
      for (const job of jobs) {
        const done = run(job).finally(() => {
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

type Slots = Readonly<Record<JobClassName, InFlight>>;

function slotsOf(make: (name: JobClassName) => InFlight): Slots {
  const names = Object.keys(JOB_CLASSES) as JobClassName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Slots;
}

/**
 * What a claim may take. An app that is found to have more than its share due gets its share, and is passed over in the next
 * claim, which finds those behind it: no claim reads more than there is room for.
 */
function roomIn(slots: Slots): Pick<JobClaim, 'limit' | 'room_of' | 'takes'> {
  const taken = slotsOf((name) => slots[name].copy());
  return {
    limit: Object.values(slots).reduce((sum, each) => sum + each.room(null), 0),
    room_of(kind) {
      const each = slots[CLASS_OF[kind]];
      return { jobs_max: each.room(null), full_apps: each.apps.filter((app_id) => each.room(app_id) === 0) };
    },
    takes({ kind, app_id }) {
      const each = taken[CLASS_OF[kind]];
      if (each.room(app_id) === 0) return false;
      each.add(app_id, 1);
      return true;
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
    const due_at = context.clock.now() + retryAfterMs(kind, job.attempts);
    await postponeJob(context.store, job, due_at).catch((lost: unknown) => {
      // Its lease runs out, and it is due again then.
      context.log.error({ error: lost, kind, subject_id }, 'a failed job could not be put back');
    });
  }
}
