import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AdjustableClock, createAdjustableClock } from '../../../emulator/time/adjustable-clock.ts';
import { createTimeControl, type TimeControl } from '../../../emulator/time/time-control.ts';
import type { JobKind } from '../../../shared/core/domains/job.ts';
import type { Runner } from '../../../shared/jobs/runner.ts';
import { scheduleJob } from '../../../shared/store/jobs/jobs.ts';
import { migrateSchema } from '../../../shared/store/migrations/migrate.ts';
import { openSqlite } from '../../../shared/store/sqlite.ts';
import { autocommit, closeStore, type Store } from '../../../shared/store/store.ts';

/** Work with one step at each of the given times. Records the shown and the saved time of the clock when each step runs. */
interface Work {
  due: number[];
  ran: { at: number; saved: number }[];
  runner: Runner;
}

const START = Date.parse('2026-01-01T00:00:00Z');
let store: Store;
let clock: AdjustableClock;
let saved: number;
let errors: unknown[];

beforeEach(async () => {
  store = openSqlite(null);
  await migrateSchema(store);
  clock = createAdjustableClock({ now: () => START }, { mode: 'frozen', offset_ms: 0, frozen_at: START });
  saved = START;
  errors = [];
});
afterEach(() => closeStore(store));

function work(...due: number[]): Work {
  const made: Work = {
    due,
    ran: [],
    runner: {
      start: () => undefined,
      stop: async () => undefined,
      exclusively: (run) => run(),
      async runDue(stepsMax) {
        let steps = 0;
        while ((made.due[made.ran.length] ?? Number.POSITIVE_INFINITY) <= clock.now()) {
          made.ran.push({ at: clock.now(), saved });
          steps += 1;
          if (steps > stepsMax) throw new RangeError('too many');
        }
        return steps;
      },
      nextDue: async () => made.due[made.ran.length] ?? null,
    },
  };
  return made;
}

function control({ runner }: Work): TimeControl {
  return createTimeControl({
    store,
    clock,
    runner,
    save: async () => {
      saved = clock.now();
    },
    onError: (error) => errors.push(error),
  });
}

test('an advance of the clock stops at each time when work is due, and saves the clock before the work', async () => {
  const due = work(START + 10, START + 10, START + 500, START + 9000);
  expect(await control(due).advance({ by_ms: 1000 })).toEqual({ steps: 3, done: {} });
  expect(due.ran).toEqual([
    { at: START + 10, saved: START + 10 },
    { at: START + 10, saved: START + 10 },
    { at: START + 500, saved: START + 500 },
  ]);
  expect([clock.now(), saved]).toEqual([START + 1000, START + 1000]);
});

test('an advance of the clock runs at most 100,000 steps per call, and the next call continues', async () => {
  const due = work(...Array.from({ length: 100_002 }, (_, i) => START + i));
  const time = control(due);
  await expect(time.advance({ by_ms: 200_000 })).rejects.toMatchObject({ code: 'validation_failed' });
  expect(due.ran).toHaveLength(100_001);
  expect(clock.now()).toBe(START + 100_000);
  expect(await time.advance({ by_ms: 1000 })).toEqual({ steps: 1, done: {} });
  expect(clock.now()).toBe(START + 101_000);
});

test('an advance of the clock lets other work run in between', async () => {
  const due = work(...Array.from({ length: 5000 }, (_, i) => START + i));
  let turns = 0;
  let moving = true;
  const count = () => {
    turns += 1;
    if (moving) setImmediate(count);
  };
  setImmediate(count);
  await control(due).advance({ by_ms: 5000 });
  moving = false;
  expect(turns).toBeGreaterThan(10);
});

test('an advance of the clock stops at the time that it has reached when the emulator closes', async () => {
  const due = work(...Array.from({ length: 5000 }, (_, i) => START + i));
  const time = control(due);
  const moved = time.advance({ by_ms: 10_000 });
  setImmediate(() => time.stop());
  expect((await moved).steps).toBeLessThan(5000);
  expect(clock.now()).toBeLessThan(START + 5000);
  expect(saved).toBe(clock.now());
});

test('in the mode auto, the clock jumps to new work, but not once the emulator is closing', async () => {
  const due = work(START + 3000);
  const kind: JobKind = 'advance';
  await scheduleJob(autocommit(store), { kind, subject_id: 'dom_1', app_id: null, due_at: START + 3000 });
  const settle = due.runner.runDue;
  const settled = Promise.withResolvers<void>();
  due.runner.runDue = async (stepsMax) => {
    const steps = await settle(stepsMax);
    if (steps > 0) {
      await autocommit(store).db.deleteFrom('jobs').execute();
      settled.resolve();
    }
    return steps;
  };
  const time = control(due);
  await time.setMode('auto');
  await settled.promise;
  expect(clock.now()).toBe(START + 3000);
  time.stop();
  due.due.push(START + 9000);
  time.noteWork();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(clock.now()).toBe(START + 3000);
  expect(errors).toEqual([]);
});

test.each([
  [{ by_ms: -1 }],
  [{ by_ms: Number.NaN }],
  [{ by_ms: Number.POSITIVE_INFINITY }],
  [{ to: START - 1 }],
  [{ to: Number.NaN }],
  [{ to: Date.parse('9999-12-31T23:59:59.999Z') + 1 }],
])('an advance of the clock with %j is refused, and does not move the clock', async (how) => {
  const due = work(START + 1);
  await expect(control(due).advance(how)).rejects.toMatchObject({ code: 'validation_failed' });
  expect([clock.now(), due.ran.length]).toEqual([START, 0]);
});

test('an advance of the clock can reach the last time that a date can represent', async () => {
  const to = Date.parse('9999-12-31T23:59:59.999Z');
  await control(work()).advance({ to });
  expect(clock.now()).toBe(to);
});
