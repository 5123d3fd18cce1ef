import { JOB_KINDS_THAT_WAKE } from '../../shared/core/domains/job.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import { type Instant, timestamp } from '../../shared/core/instant.ts';
import type { Runner } from '../../shared/jobs/runner.ts';
import { pause } from '../../shared/ports/pause.ts';
import { nextLaneDue } from '../../shared/store/events/lanes.ts';
import { nextJobDue } from '../../shared/store/jobs/jobs.ts';
import type { Store } from '../../shared/store/store.ts';
import { type AdjustableClock, type ClockMode, END_OF_TIME } from './adjustable-clock.ts';

/** Steps that one call may run at the most. */
const STEPS_MAX = 100_000;
/** SQLite answers within the turn: so often, others get theirs (a signal, a look at the status). */
const STEPS_PER_TURN = 100;
/** In `auto`, how long nothing may have happened before the clock jumps: a client's next request comes first. */
const AUTO_PAUSE_MS = 10;

/** How far to move the clock. */
export type Advance = { by_ms: number } | { to: Instant } | { until: 'idle' | 'next' };

/** What came of a move: jobs run and lanes claimed, and what was done by kind: of a job, or `deliver`. */
export interface Moved {
  steps: number;
  done: Record<string, number>;
}

export interface Move extends Moved {
  to: Instant | null;
}

export interface TimeControl {
  /** Runs all that comes due on the way, in the order it comes due; resolves when it is settled. */
  advance(how: Advance): Promise<Moved>;
  setMode(mode: ClockMode): Promise<void>;
  /** A move that is under way: the steps it has run, and where it ends, if that is known. Null while the clock is not being moved. */
  underWay(): Move | null;
  /** Called for each job and each attempt that was made: what is done during a move came of it. */
  noteDone(kind: string): void;
  /** Called when work may have come up: in `auto`, jumps to it. */
  noteWork(): void;
  /** Moves nothing any more; a move under way ends where it is. */
  stop(): void;
}

interface Parts {
  store: Store;
  clock: AdjustableClock;
  runner: Runner;
  /** Keeps the clock's state, so that a restart goes on from it, in the middle of a move too. */
  save: () => Promise<void>;
  on_error: (error: unknown) => void;
}

/** Moves the emulator's clock: the same runner as always, stepped in due order (`CONTRIBUTING.md`). */
export function createTimeControl({ store, clock, runner, save, on_error }: Parts): TimeControl {
  let jumping = false;
  let more_work = false;
  let stopped = false;
  let under_way: Move | null = null;

  /** Kept before anything is done at that time: what a crash leaves must not lie ahead of the clock. */
  async function moveTo(instant: Instant): Promise<void> {
    clock.moveTo(instant);
    await save();
  }

  /** To `target`, stopping at each moment at which something is due. */
  async function stepTo(target: Instant, steps_left: number): Promise<number> {
    let steps = await settle(steps_left);
    for (let stops = 1; !stopped; stops++) {
      const due_at = await runner.nextDue();
      if (due_at === null || due_at > target) {
        await moveTo(target);
        return steps + (await settle(steps_left - steps));
      }
      if (stops % STEPS_PER_TURN === 0) await pause(0);
      await moveTo(due_at);
      steps += await settle(steps_left - steps);
    }
    return steps;
  }

  function moveAll(target: Instant): Promise<number> {
    if (under_way !== null) under_way.to = target;
    return stepTo(target, STEPS_MAX);
  }

  async function settle(steps_left: number): Promise<number> {
    try {
      const steps = await runner.settle(steps_left);
      if (under_way !== null) under_way.steps += steps;
      return steps;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw validationFailed({
        path: '',
        message: `more than ${STEPS_MAX} steps came due; the clock stands at ${timestamp(clock.now())}, where it can be moved on`,
      });
    }
  }

  /** When a step of a test domain or a delivery is due: what idle waits for. Probes and re-checks go on for ever. */
  async function nextWaking(): Promise<Instant | null> {
    const job = await nextJobDue(store, JOB_KINDS_THAT_WAKE);
    const lane = await nextLaneDue(store);
    return job === null || lane === null ? (job ?? lane) : Math.min(job, lane);
  }

  async function toIdle(): Promise<number> {
    let steps = await settle(STEPS_MAX);
    for (let due_at = await nextWaking(); due_at !== null && !stopped; due_at = await nextWaking()) {
      steps += await stepTo(due_at, STEPS_MAX - steps);
    }
    return steps;
  }

  async function move(how: Advance): Promise<number> {
    if ('by_ms' in how) return moveAll(reachable(clock.now() + how.by_ms, 'by'));
    if ('to' in how) return moveAll(reachable(how.to, 'to'));
    if (how.until === 'idle') return toIdle();
    const steps = await settle(STEPS_MAX);
    const due_at = await runner.nextDue();
    return due_at === null ? steps : steps + (await stepTo(due_at, STEPS_MAX - steps));
  }

  /** Written so that what is not a number is refused. */
  function reachable(target: Instant, path: 'by' | 'to'): Instant {
    const now = clock.now();
    if (target >= now && target <= END_OF_TIME) return target;
    const message = `the clock only moves forwards, from ${timestamp(now)} to ${timestamp(END_OF_TIME)} at the most`;
    throw validationFailed({ path, message });
  }

  const advance = (how: Advance): Promise<Moved> =>
    runner.exclusively(async () => {
      const moving: Move = { steps: 0, done: {}, to: null };
      under_way = moving;
      try {
        return { steps: await move(how), done: moving.done };
      } finally {
        under_way = null;
      }
    });

  async function jump(): Promise<void> {
    jumping = true;
    try {
      do {
        more_work = false;
        await pause(AUTO_PAUSE_MS);
        if (!more_work && !stopped && clock.state.mode === 'auto') await advance({ until: 'idle' });
      } while (more_work && !stopped);
    } catch (error) {
      on_error(error);
    } finally {
      jumping = false;
    }
  }

  return {
    advance,
    underWay: () => (under_way === null ? null : { ...under_way }),
    noteDone(kind) {
      if (under_way !== null) under_way.done[kind] = (under_way.done[kind] ?? 0) + 1;
    },
    noteWork() {
      more_work = true;
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
