import { describe, expect, test } from 'vitest';
import { COMMON_HANDLERS, type JobHandlers } from '../../shared/jobs/handlers.ts';
import { createRunner } from '../../shared/jobs/runner.ts';
import { systemClock } from '../../shared/ports/clock.ts';
import type { OutboundResult } from '../../shared/ports/outbound.ts';
import { scheduleJob } from '../../shared/store/jobs.ts';
import { type JobWorld, jobWorld, START, status } from './job-world.ts';

const LIMITS = { in_flight_max: 10, in_flight_per_app_max: 2 };
/** So long that a test would fail of it: what comes due must be noticed without polling. */
const NEVER_MS = 3_600_000;

function runnerOf({ context }: JobWorld, handlers: JobHandlers, poll_ms = NEVER_MS) {
  return createRunner(context, { handlers, limits: LIMITS, poll_ms });
}

async function addJob(
  { context }: JobWorld,
  subject_id: string,
  due_at: number,
  kind: 'advance' | 'expire' | 'check_dns' = 'advance',
): Promise<void> {
  await scheduleJob(context.store, { kind, subject_id, app_id: null, due_at });
}

describe('settle', () => {
  test('runs what is due in the order in which it came due, jobs and what they make due alike', async () => {
    await using world = await jobWorld();
    const ran: string[] = [];
    const note = (name: string) => async (_: unknown, job: { subject_id: string }) => {
      ran.push(`${name} ${job.subject_id}`);
      if (job.subject_id === 'first') await addJob(world, 'made', START - 10);
      return null;
    };
    const runner = runnerOf(world, { advance: note('advance'), expire: note('expire') });
    await addJob(world, 'second', START - 100);
    await addJob(world, 'first', START - 200, 'expire');
    await addJob(world, 'later', START + 1);
    await addJob(world, 'same', START - 100, 'expire');
    expect(await runner.settle(100)).toBe(4);
    expect(ran).toEqual(['expire first', 'advance second', 'expire same', 'advance made']);
    expect(await runner.nextDue()).toBe(START + 1);
  });

  test('goes over jobs and lanes until nothing is due: a step, its event, the delivery', async () => {
    await using world = await jobWorld();
    await world.addDomain(await world.addApp('acme'), 'careers.acme.com');
    const runner = runnerOf(world, COMMON_HANDLERS);
    await runner.settle(100);
    for (let due_at = await runner.nextDue(); due_at !== null; due_at = await runner.nextDue()) {
      if (due_at > START + 10_000) break;
      world.clock.move(due_at - world.clock.now());
      await runner.settle(100);
    }
    expect(world.sent.map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.active',
    ]);
    expect(await runner.settle(100)).toBe(0);
  });

  test('many domains: each in its order, every event once', async () => {
    await using world = await jobWorld();
    const caller = await world.addApp('acme');
    for (let i = 0; i < 120; i++) await world.addDomain(caller, `d${i}.acme.com`);
    const runner = runnerOf(world, COMMON_HANDLERS);
    for (let second = 0; second <= 10; second++) {
      await runner.settle(10_000);
      world.clock.move(1000);
    }
    await runner.settle(10_000);
    const by_domain = Map.groupBy(world.sent, ({ domain_id }) => domain_id);
    expect(by_domain.size).toBe(120);
    for (const sent of by_domain.values()) {
      expect(sent.map(({ type }) => type)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
    }
  });

  test('throws a RangeError beyond its steps', async () => {
    await using world = await jobWorld();
    const runner = runnerOf(world, { advance: async () => START });
    await addJob(world, 'endless', START);
    await expect(runner.settle(50)).rejects.toThrow(RangeError);
  });
});

describe('a job', () => {
  test('that fails is logged and tried again a minute later', async () => {
    await using world = await jobWorld();
    let tries = 0;
    const runner = runnerOf(world, {
      advance: async () => {
        tries += 1;
        if (tries === 1) throw new Error('disk full');
        return null;
      },
    });
    await addJob(world, 'dom_1', START);
    await runner.settle(10);
    expect(world.logged).toEqual(['a job failed; it will be tried again']);
    expect(await runner.nextDue()).toBe(START + 60_000);
    world.clock.move(60_000);
    await runner.settle(10);
    expect([tries, await runner.nextDue()]).toEqual([2, null]);
  });

  test('that was scheduled anew while it ran keeps the new time', async () => {
    await using world = await jobWorld();
    const runner = runnerOf(world, {
      advance: async (_, job) => {
        if (world.clock.now() === START) await addJob(world, job.subject_id, START + 5000);
        return null;
      },
    });
    await addJob(world, 'dom_1', START);
    await runner.settle(10);
    expect(await runner.nextDue()).toBe(START + 5000);
    world.clock.move(5000);
    await runner.settle(10);
    expect(await runner.nextDue()).toBeNull();
  });

  test('that nobody here handles is neither run nor waited for', async () => {
    await using world = await jobWorld();
    const runner = runnerOf(world, { advance: async () => null });
    await addJob(world, 'dom_1', START - 1000, 'check_dns');
    expect(await runner.settle(10)).toBe(0);
    expect(await runner.nextDue()).toBeNull();
  });

  test('whose worker is gone is run by another when its lease has run out', async () => {
    await using world = await jobWorld();
    const stuck = runnerOf(world, { advance: () => new Promise(() => undefined) });
    await addJob(world, 'dom_1', START);
    void stuck.settle(10);
    await new Promise((resolve) => setImmediate(resolve));
    const ran: string[] = [];
    const other = runnerOf(world, {
      advance: async (_, job) => {
        ran.push(job.subject_id);
        return null;
      },
    });
    expect(await other.settle(10)).toBe(0);
    world.clock.move(2 * 60_000);
    expect(await other.settle(10)).toBe(1);
    expect(ran).toEqual(['dom_1']);
  });
});

describe('start', () => {
  test('runs a job when it comes due and a delivery when it is told, without polling', async () => {
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
    await scheduleJob(world.context.store, {
      kind: 'renew',
      subject_id: 'dom_1',
      app_id: null,
      due_at: Date.now() + 30,
    });
    await world.addDomain(await world.addApp('acme'), 'careers.acme.com');
    await ran.promise;
    await expect.poll(() => world.sent.length).toBe(1);
    await runner.stop();
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'misses nothing that comes due between a look and the next, %i calls of the clock in',
    async (calls) => {
      // Every look at this clock takes a millisecond.
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

  test('lanes that wait for room do not hold up what else comes due', async () => {
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
    await scheduleJob(world.context.store, {
      kind: 'renew',
      subject_id: 'dom_1',
      app_id: null,
      due_at: Date.now() + 50,
    });
    world.context.notices.publish({ kind: 'work' });
    await ran.promise;
    answers.resolve(status(200));
    await expect.poll(() => world.sent.length).toBe(5);
    await runner.stop();
  });

  test('a claim that fails is logged and tried again', async () => {
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
    expect(new Set(world.logged)).toEqual(new Set(['due work could not be claimed; it will be tried again']));
  });
});

describe('stop', () => {
  test('waits for what is in flight, records it, and starts nothing more', async () => {
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

  test('waits for exclusive work that is under way', async () => {
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

test('exclusively: nothing is started meanwhile, what is in flight has ended, one at a time', async () => {
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
