import { JOB_KINDS_THAT_WAKE } from '../../shared/core/domains/job.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import { type Instant, timestamp } from '../../shared/core/instant.ts';
import type { Runner } from '../../shared/jobs/runner.ts';
import { pause } from '../../shared/ports/system.ts';
import { nextLaneDue } from '../../shared/store/events/lanes.ts';
import { nextJobDue } from '../../shared/store/jobs/jobs.ts';
import type { Store } from '../../shared/store/store.ts';
import { type AdjustableClock, type ClockMode, END_OF_TIME } from './adjustable-clock.ts';

/** The maximum number of steps in one move. */
const STEPS_MAX = 100_000;
/**
 * A move yields to the event loop after this many steps, so that signals and status requests are handled. Calls of SQLite do not yield by
 * themselves.
 */
const STEPS_PER_TURN = 100;
/** In `auto`, how long the emulator must be idle before the clock jumps, so that a client's next request comes first. */
const AUTO_PAUSE_MS = 10;

/** How far to move the clock. */
export type Advance = { by_ms: number } | { to: Instant } | { until: 'idle' | 'next' };

/**
 * The result of a move of the clock. `steps` is the number of jobs run and lanes claimed. A lane is the queue of a domain's events. `done`
 * counts finished jobs by kind, and delivery attempts as `deliver`.
 */
export interface Moved {
  steps: number;
  done: Record<string, number>;
}

export interface ClockMove extends Moved {
  to: Instant | null;
}

export interface TimeControl {
  /** Moves the clock and runs all work that comes due on the way, in due order. Resolves when that work is done. */
  advance(how: Advance): Promise<Moved>;
  setMode(mode: ClockMode): Promise<void>;
  /** Returns the move in progress, with its steps so far, and its target if known. Returns null while the clock is not being moved. */
  currentMove(): ClockMove | null;
  /** Counts a finished job or delivery attempt towards the move in progress. */
  countDone(kind: string): void;
  /** Reports that there may be new work. In `auto`, the clock then jumps to the time at which it is due. */
  noteWork(): void;
  /** Stops moving the clock. A move in progress ends at the current time of the clock. */
  stop(): void;
}

interface Parts {
  store: Store;
  clock: AdjustableClock;
  runner: Runner;
  /** Saves the clock's state, so that the clock continues from there after a restart, even in the middle of a move. */
  save: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Creates the control that moves the emulator's clock. It makes the ordinary job runner do the work in the order of its due times. */
export function createTimeControl({ store, clock, runner, save, onError }: Parts): TimeControl {
  let jumping = false;
  let moreWork = false;
  let stopped = false;
  let underWay: ClockMove | null = null;

  /** Moves and saves the clock before any work runs at that time, so that a crash never leaves data later than the saved clock. */
  async function moveTo(instant: Instant): Promise<void> {
    clock.moveTo(instant);
    await save();
  }

  /** Moves the clock to `target`, stopping at each instant at which work is due. */
  async function stepTo(target: Instant, stepsLeft: number): Promise<number> {
    let steps = await runDueWork(stepsLeft);
    for (let stops = 1; !stopped; stops++) {
      const dueAt = await runner.nextDue();
      if (dueAt === null || dueAt > target) {
        await moveTo(target);
        return steps + (await runDueWork(stepsLeft - steps));
      }
      if (stops % STEPS_PER_TURN === 0) await pause(0);
      await moveTo(dueAt);
      steps += await runDueWork(stepsLeft - steps);
    }
    return steps;
  }

  function moveAll(target: Instant): Promise<number> {
    if (underWay !== null) underWay.to = target;
    return stepTo(target, STEPS_MAX);
  }

  async function runDueWork(stepsLeft: number): Promise<number> {
    try {
      const steps = await runner.runDue(stepsLeft);
      if (underWay !== null) underWay.steps += steps;
      return steps;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw validationFailed({
        path: '',
        message: `more than ${STEPS_MAX} steps came due; the clock stopped at ${timestamp(clock.now())}, and you can move it on from there`,
      });
    }
  }

  /**
   * Returns when the next step of a test domain or the next delivery is due. A move to `idle` ends when there are none. Ignores probes and
   * re-checks, because these recur forever.
   */
  async function nextWaking(): Promise<Instant | null> {
    const job = await nextJobDue(store, JOB_KINDS_THAT_WAKE);
    const lane = await nextLaneDue(store);
    return job === null || lane === null ? (job ?? lane) : Math.min(job, lane);
  }

  async function toIdle(): Promise<number> {
    let steps = await runDueWork(STEPS_MAX);
    for (let dueAt = await nextWaking(); dueAt !== null && !stopped; dueAt = await nextWaking()) {
      steps += await stepTo(dueAt, STEPS_MAX - steps);
    }
    return steps;
  }

  async function move(how: Advance): Promise<number> {
    if ('by_ms' in how) return moveAll(reachable(clock.now() + how.by_ms, 'by'));
    if ('to' in how) return moveAll(reachable(how.to, 'to'));
    if (how.until === 'idle') return toIdle();
    const steps = await runDueWork(STEPS_MAX);
    const dueAt = await runner.nextDue();
    return dueAt === null ? steps : steps + (await stepTo(dueAt, STEPS_MAX - steps));
  }

  /** Returns the target of a move, or throws if the clock cannot reach it. The condition also refuses NaN. */
  function reachable(target: Instant, path: 'by' | 'to'): Instant {
    const now = clock.now();
    if (target >= now && target <= END_OF_TIME) return target;
    const message = `the clock only moves forwards: give a time from ${timestamp(now)} to ${timestamp(END_OF_TIME)}`;
    throw validationFailed({ path, message });
  }

  const advance = (how: Advance): Promise<Moved> =>
    runner.exclusively(async () => {
      const moving: ClockMove = { steps: 0, done: {}, to: null };
      underWay = moving;
      try {
        return { steps: await move(how), done: moving.done };
      } finally {
        underWay = null;
      }
    });

  async function jump(): Promise<void> {
    jumping = true;
    try {
      do {
        moreWork = false;
        await pause(AUTO_PAUSE_MS);
        if (!moreWork && !stopped && clock.state.mode === 'auto') await advance({ until: 'idle' });
      } while (moreWork && !stopped);
    } catch (error) {
      onError(error);
    } finally {
      jumping = false;
    }
  }

  return {
    advance,
    currentMove: () => (underWay === null ? null : { ...underWay }),
    countDone(kind) {
      if (underWay !== null) underWay.done[kind] = (underWay.done[kind] ?? 0) + 1;
    },
    noteWork() {
      moreWork = true;
      if (clock.state.mode === 'auto' && !jumping) void jump();
    },
    async setMode(mode) {
      await runner.exclusively(async () => clock.setMode(mode));
      await save();
      this.noteWork();
    },
    stop() {
      stopped = true;
    },
  };
}
