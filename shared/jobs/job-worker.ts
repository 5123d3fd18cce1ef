import {
  CLASS_OF,
  JOB_CLASSES,
  type JobClassName,
  type JobKind,
  leaseEnd,
  retryAfterMs,
} from '../core/domains/job.ts';
import { type Instant, MINUTE_MS } from '../core/instant.ts';
import type { Context } from '../operations/context.ts';
import { type Alarm, createAlarm } from '../ports/system.ts';
import { claimJobs, type JobClaim } from '../store/claim-jobs.ts';
import { extendLease, finishJob, holdsJob, type LeasedJob, postponeJob } from '../store/jobs/jobs.ts';
import { autocommit } from '../store/store.ts';
import { CommitUnknown } from '../store/unavailable.ts';
import type { JobHandlers } from './handlers.ts';
import { createInFlight, type InFlight } from './in-flight.ts';

/**
 * How long a worker leases a job. Longer than any handler should take between two waits, such as to send a mail or to probe an origin with
 * six requests. If a handler takes longer than its lease, another worker claims the job, and `finishJob` discards the handler's result.
 */
const LEASE_MS = 2 * MINUTE_MS;
/** After a wait, a lease with less time left than this is extended. This time is enough for the next steps and for the wait after them. */
const LEASE_LEFT_MS = 1.5 * MINUTE_MS;

export interface JobWorker {
  /**
   * Claims due jobs, as many as the limits allow, and starts them in the order in which they became due.
   * @returns the number of jobs that it claimed.
   */
  claim(): Promise<number>;
  /** Resolves when no job is running. A job that waits for its next step returns to the queue, and is due at the time of that step. */
  idle(): Promise<void>;
  /** Resolves when no job is running. A job that waits for its next step returns to the queue and keeps its earlier due time. */
  stop(): Promise<void>;
}

/**
 * Runs due jobs in parallel. Claims only as many jobs as can start immediately, so that no leased job has to wait for a slot. Each class of
 * jobs has its own slots (`shared/core/domains/job.ts`), which accounts share.
 */
export function createJobWorker(context: Context, handlers: JobHandlers, onRoom: () => void): JobWorker {
  const kinds = Object.keys(handlers) as JobKind[];
  const slots = slotsOf((name) => createInFlight(JOB_CLASSES[name]));
  const running = new Set<Promise<void>>();
  /** When the next step of each waiting job is due, by the alarm that wakes the job. */
  const alarms = new Map<Alarm, Instant>();
  /** The reason why jobs that wait for their next step must return to the queue; null if they may continue. `stop` takes precedence. */
  let handsBack: HandsBack = null;

  async function wait(dueAt: Instant): Promise<HandsBack> {
    if (handsBack !== null) return handsBack;
    const alarm = createAlarm();
    alarms.set(alarm, dueAt);
    await alarm.wait(Math.max(0, dueAt - context.clock.now()));
    alarms.delete(alarm);
    return handsBack;
  }

  async function idle(): Promise<void> {
    handsBack ??= 'idle';
    for (const alarm of alarms.keys()) alarm.ring();
    while (running.size > 0) await Promise.race(running);
    if (handsBack === 'idle') handsBack = null;
  }

  async function run(job: LeasedJob, leaseUntil: Instant): Promise<void> {
    const { kind, account_id } = job;
    slots[CLASS_OF[kind]].add(account_id, 1);
    try {
      await runJob(context, handlers, job, { leaseUntil, wait });
    } finally {
      slots[CLASS_OF[kind]].add(account_id, -1);
    }
  }

  return {
    async claim() {
      // The emulator may have moved its clock, so the timer of an alarm would ring too late.
      for (const [alarm, dueAt] of alarms) if (dueAt <= context.clock.now()) alarm.ring();
      const open = kinds.filter((kind) => slots[CLASS_OF[kind]].room(null) > 0);
      if (open.length === 0) return 0;
      const now = context.clock.now();
      const leaseUntil = leaseEnd(context.settings, now, LEASE_MS);
      const jobs = await claimJobs(context.store, {
        now,
        lease_until: leaseUntil,
        makeLeaseId: () => context.ids('lea'),
        kinds: open,
        ...roomIn(slots),
      });
      for (const job of jobs) {
        const done = run(job, leaseUntil).finally(() => {
          running.delete(done);
          onRoom();
        });
        running.add(done);
      }
      return jobs.length;
    },
    idle,
    stop() {
      handsBack = 'stop';
      return idle();
    },
  };
}

type Slots = Readonly<Record<JobClassName, InFlight>>;

function slotsOf(make: (name: JobClassName) => InFlight): Slots {
  const names = Object.keys(JOB_CLASSES) as JobClassName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Slots;
}

/**
 * Returns how many jobs a claim may take, and from which apps. Skips accounts that have used up their share, so that the claim reaches the
 * apps of other accounts. No claim locks more jobs than can start.
 */
function roomIn(slots: Slots): Pick<JobClaim, 'limit' | 'wanted' | 'shareOut'> {
  return {
    limit: Object.values(slots).reduce((sum, each) => sum + each.room(null), 0),
    wanted(kind) {
      const each = slots[CLASS_OF[kind]];
      return { appsMax: each.room(null), fullAccounts: each.full };
    },
    shareOut() {
      const shares = slotsOf((name) => slots[name].copy());
      return {
        roomOf: ({ kind, account_id }) => shares[CLASS_OF[kind]].room(account_id),
        takes({ kind, account_id }) {
          const each = shares[CLASS_OF[kind]];
          if (each.room(account_id) === 0) return false;
          each.add(account_id, 1);
          return true;
        },
      };
    },
  };
}

/** The reason why a job that waits for its next step must return to the queue; null if the job may continue. */
type HandsBack = 'idle' | 'stop' | null;

async function runJob<K extends JobKind>(
  context: Context,
  handlers: JobHandlers,
  job: LeasedJob<K>,
  { leaseUntil, wait }: { leaseUntil: Instant; wait: (dueAt: Instant) => Promise<HandsBack> },
): Promise<void> {
  const { kind, subject_id } = job;
  let leasedUntil = leaseUntil;
  let handedBack: HandsBack = null;

  async function stay(dueAt: Instant): Promise<boolean> {
    handedBack = await wait(dueAt);
    if (handedBack !== null) return false;
    const now = context.clock.now();
    if (leasedUntil - now > LEASE_LEFT_MS) return holdsJob(context.store, job);
    leasedUntil = leaseEnd(context.settings, now, LEASE_MS);
    return extendLease(autocommit(context.store), job, leasedUntil);
  }

  try {
    const dueAt = (await handlers[kind]?.(context, job, stay)) ?? null;
    // Keeps the earlier due time, so that the next worker continues this job before it starts later jobs.
    const queuedAt = dueAt !== null && handedBack === 'stop' ? job.due_at : dueAt;
    await finishJob(autocommit(context.store), job, queuedAt);
  } catch (error) {
    if (error instanceof CommitUnknown) {
      // It is unknown whether the change was saved. If it was not, the job is due again once its lease ends.
      context.log.warn({ error, kind, subject_id }, 'the result of a job may not have been saved');
      return;
    }
    context.log.error({ error, kind, subject_id }, 'a job failed; it will be retried');
    const dueAt = context.clock.now() + retryAfterMs(kind, job.attempts);
    await postponeJob(autocommit(context.store), job, dueAt).catch((lost: unknown) => {
      // The job is due again once its lease has expired.
      context.log.error({ error: lost, kind, subject_id }, 'a failed job could not be rescheduled');
    });
  }
}
