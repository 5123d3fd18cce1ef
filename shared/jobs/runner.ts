import type { JobKind } from '../core/domains/job.ts';
import type { Instant } from '../core/instant.ts';
import type { AttemptOutcome } from '../core/webhooks/delivery.ts';
import type { Context } from '../operations/context.ts';
import { createAlarm } from '../ports/system.ts';
import { nextLaneDue } from '../store/events/lanes.ts';
import { nextJobDue } from '../store/jobs/jobs.ts';
import { createDeliverer } from './deliverer.ts';
import type { JobHandlers } from './handlers.ts';
import type { InFlightLimits } from './in-flight.ts';
import { createJobWorker } from './job-worker.ts';

export interface RunnerOptions {
  handlers: JobHandlers;
  /** The limits for deliveries. */
  limits: InFlightLimits;
  /** How often the runner looks for due work if no notice arrives, in milliseconds. */
  pollMs: number;
  /** Called after every attempt to deliver an event. */
  onAttempt?: (outcome: AttemptOutcome) => void;
}

export interface Runner {
  /** Runs jobs and deliveries as they become due, until `stop`. */
  start(): void;
  /** Claims no more work, and waits for the jobs and attempts that are running. */
  stop(): Promise<void>;
  /**
   * Waits for running jobs and attempts, and then runs `work` while the runner starts nothing else. Runs simultaneous calls one after the
   * other. The emulator moves its clock in `work`.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs all jobs and deliveries that are due now or become due meanwhile, and waits for them. Call this within `exclusively`.
   * @returns the number of steps: jobs, and claimed queues of events.
   * @throws RangeError after more than `steps_max` steps.
   */
  runDue(stepsMax: number): Promise<number>;
  /** Returns when the next work is due, or null if none is scheduled. */
  nextDue(): Promise<Instant | null>;
}

/** Creates the runner, which starts all due jobs and deliveries. There is no other timer in the system (`CONTRIBUTING.md`). */
export function createRunner(context: Context, options: RunnerOptions): Runner {
  const alarm = createAlarm();
  const deliverer = createDeliverer(context, options.limits, {
    onRoom: alarm.ring,
    ...(options.onAttempt === undefined ? {} : { onAttempt: options.onAttempt }),
  });
  const jobs = createJobWorker(context, options.handlers, alarm.ring);
  const kinds = Object.keys(options.handlers) as JobKind[];
  let turn: Promise<unknown> = Promise.resolve();
  let running = false;
  let loop: Promise<void> = Promise.resolve();
  let unsubscribe: () => void = () => undefined;

  /** Runs rounds of claims and the work of `exclusively` one after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined); // The error goes to the caller of `inTurn`, not to the next turn.
    return mine;
  }

  async function round(): Promise<number> {
    return (await jobs.claim()) + (await deliverer.claim());
  }

  async function idle(): Promise<void> {
    await jobs.idle();
    await deliverer.idle();
  }

  async function dueTimes(after?: Instant): Promise<Instant[]> {
    const due = [await nextJobDue(context.store, kinds, after), await nextLaneDue(context.store, after)];
    return due.filter((each) => each !== null);
  }

  /**
   * Returns how long to wait after a round that began at `since` and started nothing. Ignores work that was already due: the alarm rings
   * when there is capacity for this work.
   */
  async function waitMs(since: Instant): Promise<number> {
    const later = await dueTimes(since);
    return Math.max(0, Math.min(options.pollMs, ...later.map((dueAt) => dueAt - context.clock.now())));
  }

  async function run(): Promise<void> {
    while (running) {
      try {
        const since = context.clock.now();
        if ((await inTurn(round)) === 0) await alarm.wait(await waitMs(since));
      } catch (error) {
        context.log.error({ error }, 'due work could not be claimed; it will be retried');
        await alarm.wait(options.pollMs);
      }
    }
  }

  return {
    async nextDue() {
      const due = await dueTimes();
      return due.length === 0 ? null : Math.min(...due);
    },
    start() {
      running = true;
      unsubscribe = context.notices.subscribe((notice) => {
        if (notice.kind === 'work') alarm.ring();
      });
      loop = run();
    },
    async stop() {
      running = false;
      unsubscribe();
      alarm.ring();
      await loop;
      await turn;
      await Promise.all([withinDrain(jobs.stop()), deliverer.drain()]);
    },
    exclusively: (work) =>
      inTurn(async () => {
        await idle();
        return work();
      }).finally(alarm.ring),
    async runDue(stepsMax) {
      let steps = 0;
      for (;;) {
        const ran = await round();
        await idle();
        if (ran === 0) return steps;
        steps += ran;
        if (steps > stepsMax) throw new RangeError(`more than ${stepsMax} steps`);
      }
    },
  };
}

/**
 * Waits for jobs, but at most `DRAIN_MS`, so that a slow server of a customer does not delay the shutdown. If such a job does not end, its
 * lease expires, and another node runs the job again.
 */
async function withinDrain(work: Promise<void>): Promise<void> {
  const bell = createAlarm();
  await Promise.race([work.finally(bell.ring), bell.wait(DRAIN_MS)]);
}

/** How long a shutdown waits for jobs. Longer than the timeout of a webhook, so that a running attempt can end. */
const DRAIN_MS = 12_000;
