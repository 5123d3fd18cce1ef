import { describe, expect, test } from 'vitest';
import { createDeliverer } from '../../shared/jobs/deliverer.ts';
import { autocommit } from '../../shared/store/store.ts';
import { addDomains, hanging, turn } from './answers-by-hand.ts';
import { jobWorld, sortedById, status } from './job-world.ts';

const NO_ROOM = { onRoom: () => undefined };

describe('the fair sharing of delivery slots between apps', () => {
  test("limits an app whose endpoint hangs to its share, so that another app's deliveries are not delayed", async () => {
    await using world = await jobWorld();
    await addDomains(world, 'slow', 50);
    const waiting = hanging(world, ({ app }) => app === 'slow');
    const deliverer = createDeliverer(world.context, { inFlightMax: 10, inFlightPerAccountMax: 4 }, NO_ROOM);
    expect(await deliverer.claim()).toBe(4);
    expect(await deliverer.claim()).toBe(0);
    await addDomains(world, 'quick', 3);
    expect(await deliverer.claim()).toBe(3);
    await expect.poll(() => world.sent.filter(({ app }) => app === 'quick').length).toBe(3);
    expect(waiting).toHaveLength(4);
    for (let answered = 0; answered < 50; answered++) {
      waiting[answered]?.answer(status(200));
      await expect.poll(() => deliverer.claim()).toBe(answered < 46 ? 1 : 0);
      expect(waiting.length - answered - 1).toBeLessThanOrEqual(4);
    }
    await deliverer.idle();
    expect(world.sent.filter(({ app }) => app === 'slow')).toHaveLength(50);
  });

  test('limits all apps of an account together, so that their hanging endpoints leave slots for another account', async () => {
    await using world = await jobWorld();
    const { account_id } = await world.addApp('first');
    for (let app = 0; app < 20; app++) await addDomains(world, `slow${app}`, 10);
    await autocommit(world.context.store).db.updateTable('apps').set({ account_id }).execute();
    const waiting = hanging(world, ({ app }) => app.startsWith('slow'));
    const deliverer = createDeliverer(world.context, { inFlightMax: 10, inFlightPerAccountMax: 4 }, NO_ROOM);
    while ((await deliverer.claim()) > 0);
    await turn();
    expect(waiting).toHaveLength(4);
    await addDomains(world, 'quick', 3);
    expect(await deliverer.claim()).toBe(3);
    await expect.poll(() => world.sent.filter(({ app }) => app === 'quick').length).toBe(3);
    for (let answered = 0; answered < 200; answered++) {
      waiting[answered]?.answer(status(200));
      await expect.poll(() => deliverer.claim()).toBe(answered < 196 ? 1 : 0);
    }
    await deliverer.idle();
    expect(waiting).toHaveLength(200);
  });

  test('lets apps take turns when there is only one slot, however many domains each app has', async () => {
    await using world = await jobWorld();
    const callers = [];
    for (const app of ['a', 'b', 'c']) {
      const caller = await world.addApp(app);
      callers.push(caller);
      for (let i = 0; i < (app === 'a' ? 9 : 3); i++) await world.addDomain(caller, `d${i}.${app}.example`);
    }
    const names = new Map(callers.map(({ app_id }, index) => [app_id, 'abc'[index]]));
    const order = sortedById(callers).map((appId) => names.get(appId));
    const deliverer = createDeliverer(world.context, { inFlightMax: 1, inFlightPerAccountMax: 1 }, NO_ROOM);
    while ((await deliverer.claim()) > 0) await deliverer.idle();
    expect(world.sent).toHaveLength(15);
    expect(world.sent.slice(0, 9).map(({ app }) => app)).toEqual([...order, ...order, ...order]);
  });

  test('never exceeds the limits of attempts in flight', async () => {
    await using world = await jobWorld();
    for (const app of ['a', 'b', 'c', 'd']) await addDomains(world, app, 5);
    const waiting = hanging(world);
    const deliverer = createDeliverer(world.context, { inFlightMax: 7, inFlightPerAccountMax: 3 }, NO_ROOM);
    for (let i = 0; i < 4; i++) await deliverer.claim();
    await turn();
    expect(waiting).toHaveLength(7);
    for (const app of ['a', 'b', 'c', 'd']) {
      expect(waiting.filter(({ sent }) => sent.app === app).length).toBeLessThanOrEqual(3);
    }
    for (const { answer } of waiting) answer(status(200));
    await deliverer.idle();
  });
});

describe('many apps whose endpoints hang', () => {
  test('leave capacity for an app whose endpoint responds, from the start and at every retry', async () => {
    await using world = await jobWorld();
    const quick = await world.addApp('quick');
    for (let n = 0; n < 12; n++) await addDomains(world, `slow${n}`, 15);
    const waiting = hanging(world, ({ app }) => app !== 'quick');
    const limits = { inFlightMax: 50, inFlightPerAccountMax: 5 };
    const deliverer = createDeliverer(world.context, limits, NO_ROOM);
    for (let round = 0; round < 3; round++) {
      while ((await deliverer.claim()) > 0) await turn();
      expect(waiting.length).toBeGreaterThan(30);
      await world.addDomain(quick, `d${round}.quick.example`);
      expect(await deliverer.claim()).toBe(1);
      await turn();
      expect(world.sent.filter(({ app }) => app === 'quick')).toHaveLength(round + 1);
      for (const { answer } of waiting.splice(0)) answer(status(500));
      await deliverer.idle();
    }
  });

  test("do not prevent a claim of a healthy app's deliveries, wherever the app is in the order of claims", async () => {
    await using world = await jobWorld();
    const callers = [];
    for (const app of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) callers.push(await world.addApp(app));
    callers.sort((a, b) => (a.app_id < b.app_id ? -1 : 1));
    const [quick] = callers.splice(3, 1);
    for (const [n, caller] of callers.entries()) {
      for (let d = 0; d < 5; d++) await world.addDomain(caller, `d${d}.slow${n}.example`);
    }
    const waiting = hanging(world);
    const limits = { inFlightMax: 10, inFlightPerAccountMax: 2 };
    const deliverer = createDeliverer(world.context, limits, NO_ROOM);
    while ((await deliverer.claim()) > 0) await turn();
    expect(waiting).toHaveLength(9);
    if (quick) await world.addDomain(quick, 'd.quick.example');
    expect(await deliverer.claim()).toBe(1);
    await turn();
    for (const { answer } of waiting) answer(status(200));
    await deliverer.drain();
  });
});
