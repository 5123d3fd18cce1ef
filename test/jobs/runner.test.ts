import { describe, expect, test } from 'vitest';
import { COMMON_HANDLERS, type JobHandlers } from '../../shared/jobs/handlers.ts';
import { createRunner } from '../../shared/jobs/runner.ts';
import { CommitUnknown } from '../../shared/store/unavailable.ts';
import { addJob, type JobWorld, jobWorld, START } from './job-world.ts';

const LIMITS = { inFlightMax: 10, inFlightPerAccountMax: 2 };

function runnerOf({ context }: JobWorld, handlers: JobHandlers) {
  return createRunner(context, { handlers, limits: LIMITS, pollMs: 1000 });
}

describe('settle of the runner', () => {
  test('runs due work in the order in which it became due, including work that becomes due in the meantime', async () => {
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
    expect(await runner.runDue(100)).toBe(4);
    expect(ran).toEqual(['expire first', 'advance second', 'expire same', 'advance made']);
    expect(await runner.nextDue()).toBe(START + 1);
  });

  test('runs the jobs of a domain, and delivers the events that these jobs create, until nothing is due', async () => {
    await using world = await jobWorld();
    await world.addDomain(await world.addApp('acme'), 'careers.acme.com');
    const runner = runnerOf(world, COMMON_HANDLERS);
    await runner.runDue(100);
    for (let dueAt = await runner.nextDue(); dueAt !== null; dueAt = await runner.nextDue()) {
      if (dueAt > START + 10_000) break;
      world.clock.move(dueAt - world.clock.now());
      await runner.runDue(100);
    }
    expect(world.sent.map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.active',
    ]);
    expect(await runner.runDue(100)).toBe(0);
  });

  test('sends every event of many domains once, and in order for each domain', async () => {
    await using world = await jobWorld();
    const caller = await world.addApp('acme');
    for (let i = 0; i < 120; i++) await world.addDomain(caller, `d${i}.acme.com`);
    const runner = runnerOf(world, COMMON_HANDLERS);
    for (let second = 0; second <= 10; second++) {
      await runner.runDue(10_000);
      world.clock.move(1000);
    }
    await runner.runDue(10_000);
    const byDomain = Map.groupBy(world.sent, ({ domain_id }) => domain_id);
    expect(byDomain.size).toBe(120);
    for (const sent of byDomain.values()) {
      expect(sent.map(({ type }) => type)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
    }
  });

  test('throws a RangeError if more than the allowed number of steps are needed', async () => {
    await using world = await jobWorld();
    const runner = runnerOf(world, { advance: async () => START });
    await addJob(world, 'endless', START);
    await expect(runner.runDue(50)).rejects.toThrow(RangeError);
  });
});

describe('a job of the runner', () => {
  test('that fails is logged and retried a minute later', async () => {
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
    await runner.runDue(10);
    expect(world.logged).toEqual(['a job failed; it will be retried']);
    expect(await runner.nextDue()).toBe(START + 60_000);
    world.clock.move(60_000);
    await runner.runDue(10);
    expect([tries, await runner.nextDue()]).toEqual([2, null]);
  });

  test('whose change may have been saved or not is neither done nor failed, and runs again after its lease', async () => {
    await using world = await jobWorld();
    let tries = 0;
    const runner = runnerOf(world, {
      async advance() {
        tries += 1;
        if (tries === 1) throw new CommitUnknown({ cause: new Error('no response') });
        return null;
      },
    });
    await addJob(world, 'dom_1', START);
    await runner.runDue(10);
    expect(world.logged).toEqual(['the result of a job may not have been saved']);
    world.clock.move(119_999);
    expect(await runner.runDue(10)).toBe(0);
    world.clock.move(1);
    expect(await runner.runDue(10)).toBe(1);
    expect([tries, await runner.nextDue()]).toEqual([2, null]);
  });

  test('that was rescheduled while it ran keeps the new time', async () => {
    await using world = await jobWorld();
    const runner = runnerOf(world, {
      advance: async (_, job) => {
        if (world.clock.now() === START) await addJob(world, job.subject_id, START + 5000);
        return null;
      },
    });
    await addJob(world, 'dom_1', START);
    await runner.runDue(10);
    expect(await runner.nextDue()).toBe(START + 5000);
    world.clock.move(5000);
    await runner.runDue(10);
    expect(await runner.nextDue()).toBeNull();
  });

  test('without a handler on this node is neither run nor waited for', async () => {
    await using world = await jobWorld();
    const runner = runnerOf(world, { advance: async () => null });
    await addJob(world, 'dom_1', START - 1000, 'check_dns');
    expect(await runner.runDue(10)).toBe(0);
    expect(await runner.nextDue()).toBeNull();
  });

  test('of a lost worker is run by another worker once its lease has expired', async () => {
    await using world = await jobWorld();
    const stuck = runnerOf(world, { advance: () => new Promise(() => undefined) });
    await addJob(world, 'dom_1', START);
    void stuck.runDue(10);
    await new Promise((resolve) => setImmediate(resolve));
    const ran: string[] = [];
    const other = runnerOf(world, {
      advance: async (_, job) => {
        ran.push(job.subject_id);
        return null;
      },
    });
    expect(await other.runDue(10)).toBe(0);
    world.clock.move(2 * 60_000);
    expect(await other.runDue(10)).toBe(1);
    expect(ran).toEqual(['dom_1']);
  });
});
