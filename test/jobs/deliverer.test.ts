import { describe, expect, test } from 'vitest';
import type { DomainId } from '../../shared/core/ids.ts';
import { createDeliverer } from '../../shared/jobs/deliverer.ts';
import { LANE_LEASE_MS } from '../../shared/operations/deliver-events.ts';
import { triggerDomain } from '../../shared/operations/trigger-domain.ts';
import type { OutboundResult } from '../../shared/ports/outbound.ts';
import { listDeliveries } from '../../shared/store/deliveries.ts';
import { getEvent } from '../../shared/store/events.ts';
import { type JobWorld, jobWorld, type Sent, sortedById, status } from './job-world.ts';

const NO_ROOM = { on_room: () => undefined };
/** Long enough for what an answer brings about: outcomes are gathered for a turn of the loop before they are recorded. */
async function turn(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Attempts hang until a test answers them. */
function hanging(world: JobWorld, hangs: (sent: Sent) => boolean = () => true) {
  const waiting: { sent: Sent; answer: (result: OutboundResult) => void }[] = [];
  world.answer = (sent) =>
    hangs(sent) ? new Promise((answer) => waiting.push({ sent, answer })) : status(200);
  return waiting;
}

async function addDomains(world: JobWorld, app: string, count: number): Promise<DomainId[]> {
  const caller = await world.addApp(app);
  const ids: DomainId[] = [];
  for (let i = 0; i < count; i++) ids.push(await world.addDomain(caller, `d${i}.${app}.example`));
  return ids;
}

/** `count` more events in a domain's lane, a millisecond apart, all due. */
async function addEvents({ context, clock }: JobWorld, id: DomainId, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    clock.move(1);
    await triggerDomain(context, id, i % 2 === 0 ? 'hold' : 'release');
  }
}

describe('fairness', () => {
  test("an app whose endpoint hangs takes its own share and leaves another's deliveries alone", async () => {
    await using world = await jobWorld();
    await addDomains(world, 'slow', 50);
    const waiting = hanging(world, ({ app }) => app === 'slow');
    const deliverer = createDeliverer(
      world.context,
      { in_flight_max: 10, in_flight_per_app_max: 4 },
      NO_ROOM,
    );
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

  test('with room for one, apps take turns, however many lanes each has', async () => {
    await using world = await jobWorld();
    const callers = [];
    for (const app of ['a', 'b', 'c']) {
      const caller = await world.addApp(app);
      callers.push(caller);
      for (let i = 0; i < (app === 'a' ? 9 : 3); i++) await world.addDomain(caller, `d${i}.${app}.example`);
    }
    const names = new Map(callers.map(({ app_id }, index) => [app_id, 'abc'[index]]));
    const order = sortedById(callers).map((app_id) => names.get(app_id));
    const deliverer = createDeliverer(world.context, { in_flight_max: 1, in_flight_per_app_max: 1 }, NO_ROOM);
    while ((await deliverer.claim()) > 0) await deliverer.idle();
    expect(world.sent).toHaveLength(15);
    expect(world.sent.slice(0, 9).map(({ app }) => app)).toEqual([...order, ...order, ...order]);
  });

  test('never more than its limits are in flight', async () => {
    await using world = await jobWorld();
    for (const app of ['a', 'b', 'c', 'd']) await addDomains(world, app, 5);
    const waiting = hanging(world);
    const deliverer = createDeliverer(world.context, { in_flight_max: 7, in_flight_per_app_max: 3 }, NO_ROOM);
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

describe('order', () => {
  test('within a domain nothing overtakes an event that fails, over many domains and refusals', async () => {
    await using world = await jobWorld();
    const domains = await addDomains(world, 'acme', 40);
    for (const id of domains) await addEvents(world, id, 4);
    // Every fifth attempt is refused, every seventh breaks off: a dice that falls the same every time.
    let attempts = 0;
    world.answer = () => {
      attempts += 1;
      if (attempts % 5 === 0) return status(503);
      return attempts % 7 === 0 ? { ok: false, error: 'connection_failed', response_ms: 1 } : status(200);
    };
    const deliverer = createDeliverer(
      world.context,
      { in_flight_max: 16, in_flight_per_app_max: 16 },
      NO_ROOM,
    );
    for (let round = 0; round < 30; round++) {
      while ((await deliverer.claim()) > 0) await deliverer.idle();
      world.clock.move(3_600_000);
    }
    expect(world.sent.length).toBeGreaterThan(200);
    for (const id of domains) {
      const events: { id: string; seq: number }[] = [];
      for (const { event_id, domain_id } of world.sent) {
        if (domain_id !== id) continue;
        const { seq } = await getEvent(world.context.store, event_id);
        events.push({ id: event_id, seq });
      }
      // Attempts of one event stand together, and the events in their order.
      expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).sort((a, b) => a - b));
      expect(new Set(events.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3, 4, 5]));
    }
    expect(world.logged).toEqual([]);
  });

  test('a lane goes on with its next event at once, without another claim', async () => {
    await using world = await jobWorld();
    const [id] = await addDomains(world, 'acme', 1);
    if (id) await addEvents(world, id, 3);
    const deliverer = createDeliverer(world.context, { in_flight_max: 5, in_flight_per_app_max: 5 }, NO_ROOM);
    expect(await deliverer.claim()).toBe(1);
    await deliverer.idle();
    expect(world.sent.map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.held',
      'domain.released',
      'domain.held',
    ]);
  });
});

describe('the lease', () => {
  test('whoever lost it records nothing, and who took over sends under the same delivery id', async () => {
    await using world = await jobWorld();
    await addDomains(world, 'acme', 1);
    const waiting = hanging(world);
    const limits = { in_flight_max: 5, in_flight_per_app_max: 5 };
    const first = createDeliverer(world.context, limits, NO_ROOM);
    const second = createDeliverer(world.context, limits, NO_ROOM);
    expect(await first.claim()).toBe(1);
    expect(await second.claim()).toBe(0);
    world.clock.move(LANE_LEASE_MS);
    expect(await second.claim()).toBe(1);
    await turn();
    const [lost, taken] = waiting;
    expect(taken?.sent).toEqual(lost?.sent);

    lost?.answer(status(200));
    await first.idle();
    const event_id = taken?.sent.event_id;
    if (event_id === undefined) throw new Error('nothing was sent');
    expect(await getEvent(world.context.store, event_id)).toMatchObject({
      delivery_status: 'pending',
      last_status_code: null,
    });
    expect(world.logged).toEqual(['the lease of a lane was lost; its outcome is not recorded']);

    taken?.answer(status(500));
    await second.idle();
    expect(await getEvent(world.context.store, event_id)).toMatchObject({
      delivery_status: 'pending',
      last_status_code: 500,
      attempts: 1,
    });
    expect(await listDeliveries(world.context.store, event_id)).toHaveLength(1);
  });

  test('is not used for an attempt that could outlast it: nothing is sent twice by a slow receiver', async () => {
    await using world = await jobWorld();
    const [id] = await addDomains(world, 'acme', 1);
    if (id) await addEvents(world, id, 7);
    const waiting = hanging(world);
    const limits = { in_flight_max: 5, in_flight_per_app_max: 5 };
    const [first, second] = [1, 2].map(() => createDeliverer(world.context, limits, NO_ROOM));
    for (let answered = 0; answered < 8; answered++) {
      await first?.claim();
      await turn();
      world.clock.move(9_900);
      // Were the lease over by now, this one would take the lane while the attempt is in flight.
      await second?.claim();
      for (const { answer } of waiting.splice(0)) answer(status(200));
      await turn();
    }
    expect(world.sent).toHaveLength(8);
    expect(new Set(world.sent.map(({ delivery_id }) => delivery_id)).size).toBe(8);
    expect(world.logged).toEqual([]);
  });
});

describe('drain', () => {
  test('waits for what is in flight, sends nothing more, and gives the lanes back', async () => {
    await using world = await jobWorld();
    const [id] = await addDomains(world, 'acme', 3);
    if (id) await addEvents(world, id, 3);
    const waiting = hanging(world);
    const limits = { in_flight_max: 5, in_flight_per_app_max: 5 };
    const deliverer = createDeliverer(world.context, limits, NO_ROOM);
    await deliverer.claim();
    let drained = false;
    const drain = deliverer.drain().then(() => {
      drained = true;
    });
    await turn();
    expect(await deliverer.claim()).toBe(0);
    expect(drained).toBe(false);
    for (const { answer } of waiting) answer(status(200));
    await drain;
    expect(world.sent).toHaveLength(3);
    const lanes = await world.context.store.db.selectFrom('lanes').select(['lease_id', 'due_at']).execute();
    expect(lanes.map(({ lease_id }) => lease_id)).toEqual([null, null, null]);
    expect(lanes.filter(({ due_at }) => due_at !== null)).toHaveLength(1);

    world.answer = () => status(200);
    const next = createDeliverer(world.context, limits, NO_ROOM);
    await next.claim();
    await next.idle();
    expect(world.sent).toHaveLength(6);
  });
});

test('tells that there is room whenever an attempt has ended', async () => {
  await using world = await jobWorld();
  await addDomains(world, 'acme', 3);
  let rung = 0;
  const limits = { in_flight_max: 2, in_flight_per_app_max: 2 };
  const on_room = () => {
    rung += 1;
  };
  const deliverer = createDeliverer(world.context, limits, { on_room });
  await deliverer.claim();
  await deliverer.idle();
  expect(rung).toBe(2);
});
