import { describe, expect, test } from 'vitest';
import { systemClock } from '../../shared/adapters/system.ts';
import { CLASS_OF, JOB_CLASSES } from '../../shared/core/domains/job.ts';
import { COMMON_HANDLERS, type JobHandlers } from '../../shared/jobs/handlers.ts';
import { createRunner } from '../../shared/jobs/runner.ts';
import type { OutboundResult } from '../../shared/ports/outbound.ts';
import { addJob, type JobWorld, jobWorld, START, status } from './job-world.ts';

const LIMITS = { inFlightMax: 10, inFlightPerAccountMax: 2 };
/** A poll interval that is longer than any test, so that the runner must notice due work without polling. */
const NEVER_MS = 3_600_000;

function runnerOf({ context }: JobWorld, handlers: JobHandlers, pollMs = NEVER_MS) {
  return createRunner(context, { handlers, limits: LIMITS, pollMs });
}

describe('a started runner', () => {
  test('runs a job when it becomes due and a delivery when notified, without polling', async () => {
    await using world = await jobWorld(systemClock);
    const ran = Promise.withResolvers<void>();
    const runner = runnerOf(world, {
      ...COMMON_HANDLERS,
      renew: async () => {
        ran.resolve();
        return null;
      },
    });
    runner.start();
    await addJob(world, 'dom_1', Date.now() + 30, 'renew');
    await world.addDomain(await world.addApp('acme'), 'careers.acme.com');
    await ran.promise;
    await expect.poll(() => world.sent.length).toBe(1);
    await runner.stop();
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'misses no job that becomes due between two polls, after %i calls of the clock',
    async (calls) => {
      // This clock advances by a millisecond at each reading.
      let now = START;
      await using world = await jobWorld({ now: () => now++ });
      const ran = Promise.withResolvers<void>();
      const runner = runnerOf(world, {
        advance: async () => {
          ran.resolve();
          return null;
        },
      });
      await addJob(world, 'dom_1', now + calls);
      runner.start();
      await ran.promise;
      await runner.stop();
    },
  );

  test('does other due work while deliveries wait for capacity', async () => {
    await using world = await jobWorld(systemClock);
    world.answer = () => answers.promise;
    const answers = Promise.withResolvers<OutboundResult>();
    const slow = await world.addApp('slow');
    for (let i = 0; i < 5; i++) await world.addDomain(slow, `d${i}.slow.example`);
    const ran = Promise.withResolvers<void>();
    const runner = runnerOf(world, {
      renew: async () => {
        ran.resolve();
        return null;
      },
    });
    runner.start();
    await expect.poll(() => world.sent.length).toBe(2);
    await addJob(world, 'dom_1', Date.now() + 50, 'renew');
    world.context.notices.publish({ kind: 'work' });
    await ran.promise;
    answers.resolve(status(200));
    await expect.poll(() => world.sent.length).toBe(5);
    await runner.stop();
  });

  test('does other due work while jobs wait for capacity', async () => {
    await using world = await jobWorld(systemClock);
    const { inFlightMax } = JOB_CLASSES[CLASS_OF.check_dns];
    const end = Promise.withResolvers<null>();
    const ran = Promise.withResolvers<void>();
    let waiting = 0;
    const runner = runnerOf(world, {
      check_dns: () => {
        waiting += 1;
        return end.promise;
      },
      renew: async () => {
        ran.resolve();
        return null;
      },
    });
    for (let n = 0; n <= inFlightMax; n++) await addJob(world, `dom_${n}`, START, 'check_dns');
    runner.start();
    await expect.poll(() => waiting).toBe(inFlightMax);
    await addJob(world, 'dom_1', Date.now() + 50, 'renew');
    world.context.notices.publish({ kind: 'work' });
    await ran.promise;
    end.resolve(null);
    await expect.poll(() => waiting).toBe(inFlightMax + 1);
    await runner.stop();
  });

  test('logs and retries a failed claim', async () => {
    await using world = await jobWorld(systemClock);
    const runner = runnerOf(world, COMMON_HANDLERS, 10);
    const { db } = world.context.store;
    await db.schema.alterTable('lanes').renameTo('lanes_away').execute();
    runner.start();
    await expect.poll(() => world.logged.length).toBeGreaterThan(1);
    await db.schema.alterTable('lanes_away').renameTo('lanes').execute();
    await world.addDomain(await world.addApp('acme'), 'careers.acme.com');
    await expect.poll(() => world.sent.length).toBe(1);
    await runner.stop();
    expect(new Set(world.logged)).toEqual(new Set(['due work could not be claimed; it will be retried']));
  });
});

describe('a runner that is stopped', () => {
  test('waits for running work, records it, and starts nothing more', async () => {
    await using world = await jobWorld(systemClock);
    const answers = Promise.withResolvers<OutboundResult>();
    world.answer = () => answers.promise;
    const caller = await world.addApp('acme');
    for (let i = 0; i < 5; i++) await world.addDomain(caller, `d${i}.acme.com`);
    const runner = runnerOf(world, {});
    runner.start();
    await expect.poll(() => world.sent.length).toBe(2);
    let stopped = false;
    const stop = runner.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    answers.resolve(status(200));
    await stop;
    expect(world.sent).toHaveLength(2);
    const events = await world.context.store.db.selectFrom('events').select('delivery_status').execute();
    expect(events.map(({ delivery_status }) => delivery_status).sort()).toEqual([
      'delivered',
      'delivered',
      'pending',
      'pending',
      'pending',
    ]);
    const lanes = await world.context.store.db.selectFrom('lanes').select('lease_id').execute();
    expect(lanes.filter(({ lease_id }) => lease_id !== null)).toEqual([]);
  });

  test('waits for exclusive work that is already running', async () => {
    await using world = await jobWorld(systemClock);
    const runner = runnerOf(world, {});
    runner.start();
    const work = Promise.withResolvers<void>();
    const ended: string[] = [];
    const exclusive = runner.exclusively(() => work.promise).then(() => ended.push('work'));
    const stop = runner.stop().then(() => ended.push('stop'));
    await new Promise((resolve) => setImmediate(resolve));
    work.resolve();
    await Promise.all([exclusive, stop]);
    expect(ended).toEqual(['work', 'stop']);
  });
});

test('the runner starts exclusive work once running work has ended, and runs no other work beside it', async () => {
  await using world = await jobWorld(systemClock);
  const answers = Promise.withResolvers<OutboundResult>();
  world.answer = () => answers.promise;
  const caller = await world.addApp('acme');
  await world.addDomain(caller, 'careers.acme.com');
  const runner = runnerOf(world, {});
  runner.start();
  await expect.poll(() => world.sent.length).toBe(1);
  const seen: string[] = [];
  const first = runner.exclusively(async () => {
    seen.push('first starts');
    await world.addDomain(caller, 'jobs.acme.com');
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen.push(`first ends, ${world.sent.length} sent`);
  });
  const second = runner.exclusively(async () => {
    seen.push('second starts');
    throw new Error('its own failure');
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
  answers.resolve(status(200));
  await first;
  await expect(second).rejects.toThrow('its own failure');
  expect(seen).toEqual(['first starts', 'first ends, 1 sent', 'second starts']);
  await expect.poll(() => world.sent.length).toBe(2);
  await runner.stop();
});
