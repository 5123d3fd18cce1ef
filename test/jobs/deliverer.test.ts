import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { DomainId, EventId } from '../../shared/core/ids.ts';
import { HOUR_MS } from '../../shared/core/instant.ts';
import { createDeliverer } from '../../shared/jobs/deliverer.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import { LANE_LEASE_MS } from '../../shared/operations/events/deliver-events.ts';
import { listDeliveries } from '../../shared/store/events/deliveries.ts';
import { getEventById } from '../../shared/store/events/events.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { openDatabase } from '../store/open-postgres.ts';
import { addDomains, hanging, turn } from './answers-by-hand.ts';
import { type JobWorld, jobWorld, START, status } from './job-world.ts';

const NO_ROOM = { onRoom: () => undefined };

/** Adds `count` due events to a domain's queue, a millisecond apart. */
async function addEvents({ context, clock }: JobWorld, id: DomainId, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    clock.move(1);
    await triggerDomain(context, id, i % 2 === 0 ? 'hold' : 'release');
  }
}

describe('the order of deliveries', () => {
  test('within a domain is the order of its events, even if many deliveries fail', async () => {
    await using world = await jobWorld();
    const domains = await addDomains(world, 'acme', 40);
    for (const id of domains) await addEvents(world, id, 4);
    // Every fifth attempt gets 503. Every seventh attempt breaks off, unless it already gets 503.
    let attempts = 0;
    world.answer = () => {
      attempts += 1;
      if (attempts % 5 === 0) return status(503);
      return attempts % 7 === 0 ? { ok: false, problem: 'connection_failed', response_ms: 1 } : status(200);
    };
    const deliverer = createDeliverer(world.context, { inFlightMax: 16, inFlightPerAccountMax: 16 }, NO_ROOM);
    for (let round = 0; round < 30; round++) {
      while ((await deliverer.claim()) > 0) await deliverer.idle();
      world.clock.move(3_600_000);
    }
    expect(world.sent.length).toBeGreaterThan(200);
    for (const id of domains) {
      const events: { id: string; seq: number }[] = [];
      for (const { event_id, domain_id } of world.sent) {
        if (domain_id !== id) continue;
        const { seq } = await getEventById(world.context.store, event_id);
        events.push({ id: event_id, seq });
      }
      // The attempts of one event must be consecutive, and the events must be in order.
      expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).sort((a, b) => a - b));
      expect(new Set(events.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3, 4, 5]));
    }
    expect(world.logged).toEqual([]);
  });

  test('within a domain needs only one claim for all events that are due', async () => {
    await using world = await jobWorld();
    const [id] = await addDomains(world, 'acme', 1);
    if (id) await addEvents(world, id, 3);
    const deliverer = createDeliverer(world.context, { inFlightMax: 5, inFlightPerAccountMax: 5 }, NO_ROOM);
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

describe("the lease on a domain's deliveries", () => {
  test('is needed to record an attempt: a worker without the lease records nothing, and the next worker repeats the delivery id', async () => {
    await using world = await jobWorld();
    await addDomains(world, 'acme', 1);
    const waiting = hanging(world);
    const limits = { inFlightMax: 5, inFlightPerAccountMax: 5 };
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
    const eventId = taken?.sent.event_id;
    if (eventId === undefined) throw new Error('nothing was sent');
    expect(await getEventById(world.context.store, eventId)).toMatchObject({
      delivery_status: 'pending',
      last_status_code: null,
    });
    expect(world.logged).toEqual(['a delivery outlived its lease; its outcome is not recorded']);

    taken?.answer(status(500));
    await second.idle();
    expect(await getEventById(world.context.store, eventId)).toMatchObject({
      delivery_status: 'pending',
      last_status_code: 500,
      attempts: 1,
    });
    expect(await listDeliveries(world.context.store, eventId)).toHaveLength(1);
  });

  test('allows no attempt that could outlast the lease, so that a slow receiver gets no event twice', async () => {
    await using world = await jobWorld();
    const [id] = await addDomains(world, 'acme', 1);
    if (id) await addEvents(world, id, 7);
    const waiting = hanging(world);
    const limits = { inFlightMax: 5, inFlightPerAccountMax: 5 };
    const [first, second] = [1, 2].map(() => createDeliverer(world.context, limits, NO_ROOM));
    for (let answered = 0; answered < 8; answered++) {
      await first?.claim();
      await turn();
      world.clock.move(9_900);
      // If the lease had expired, this claim would get the domain's queue during the attempt.
      await second?.claim();
      for (const { answer } of waiting.splice(0)) answer(status(200));
      await turn();
    }
    expect(world.sent).toHaveLength(8);
    expect(new Set(world.sent.map(({ delivery_id }) => delivery_id)).size).toBe(8);
    expect(world.logged).toEqual([]);
  });
});

describe('overdue retries', () => {
  test('are separate attempts: each has its own delivery and record, and the retry schedule continues', async () => {
    await using world = await jobWorld();
    await failLate(world);
  });

  describePostgres('on Postgres', () => {
    test('are separate attempts, too', async () => {
      await using database = await openDatabase();
      await using world = await jobWorld(undefined, database.store);
      await failLate(world);
    });
  });

  /** If no worker ran for an hour, the retries of 1, 5 and 30 minutes are each due as soon as the previous attempt has failed. */
  async function failLate(world: JobWorld): Promise<void> {
    await addDomains(world, 'acme', 1);
    // Responds with success after nine attempts, so that the test ends even if the deliverer repeats an attempt forever.
    world.answer = () => status(world.sent.length < 9 ? 500 : 200);
    const limits = { inFlightMax: 5, inFlightPerAccountMax: 5 };
    const deliverer = createDeliverer(world.context, limits, NO_ROOM);
    await deliverer.claim();
    await deliverer.idle();
    world.clock.move(HOUR_MS);
    // Runs twice, because after its lease expires, an attempt that was not recorded would be sent again.
    for (let round = 0; round < 2; round++) {
      await deliverer.claim();
      await deliverer.idle();
      world.clock.move(LANE_LEASE_MS);
    }
    expect(world.logged).toEqual([]);
    expect(world.sent).toHaveLength(4);
    const [{ event_id } = { event_id: '' as EventId }] = world.sent;
    const deliveries = (await listDeliveries(world.context.store, event_id)).toReversed();
    expect(deliveries.map(({ id }) => id)).toEqual(world.sent.map(({ delivery_id }) => delivery_id));
    expect(deliveries.map(({ attempt, finished, status_code }) => [attempt, finished, status_code])).toEqual([
      [1, true, 500],
      [2, true, 500],
      [3, true, 500],
      [4, true, 500],
    ]);
    expect(await getEventById(world.context.store, event_id)).toMatchObject({
      delivery_status: 'pending',
      next_attempt_at: START + 2 * HOUR_MS,
    });
  }
});

describePostgres('a delivery whose record the database refuses', () => {
  test('prevents no other record, is logged with its event, and is sent again under the same delivery id', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const domains = await addDomains(world, 'acme', 30);
    const logged: Record<string, unknown>[] = [];
    world.context.log = { ...world.context.log, error: (fields) => logged.push(fields) };
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
      database.store.db,
    );
    const refused = domains[17] as DomainId;
    await sql`
      create trigger refuse before update on events for each row
      when (new.domain_id = ${sql.lit(refused)} and new.delivery_status = 'delivered') execute function refuse()`.execute(
      database.store.db,
    );
    const deliverer = createDeliverer(world.context, { inFlightMax: 50, inFlightPerAccountMax: 50 }, NO_ROOM);
    expect(await deliverer.claim()).toBe(30);
    await deliverer.idle();
    const states = await database.store.db
      .selectFrom('events')
      .select(['id', 'domain_id', 'delivery_status'])
      .execute();
    const [left, ...others] = states.filter(({ delivery_status }) => delivery_status !== 'delivered');
    expect(others).toEqual([]);
    expect(left).toMatchObject({ domain_id: refused, delivery_status: 'pending' });
    expect(logged).toMatchObject([{ domain_id: refused, event_id: left?.id }]);

    await sql`drop trigger refuse on events`.execute(database.store.db);
    world.clock.move(LANE_LEASE_MS);
    expect(await deliverer.claim()).toBe(1);
    await deliverer.idle();
    const [first, again] = world.sent.filter(({ domain_id }) => domain_id === refused);
    expect(again).toEqual(first);
    expect(await getEventById(world.context.store, left?.id as EventId)).toMatchObject({
      delivery_status: 'delivered',
      attempts: 1,
    });
  });
});

describe('drain of the deliverer', () => {
  test('waits for running attempts, sends nothing more, and releases its leases', async () => {
    await using world = await jobWorld();
    const [id] = await addDomains(world, 'acme', 3);
    if (id) await addEvents(world, id, 3);
    const waiting = hanging(world);
    const limits = { inFlightMax: 5, inFlightPerAccountMax: 5 };
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

test('the deliverer reports free capacity whenever an attempt ends', async () => {
  await using world = await jobWorld();
  await addDomains(world, 'acme', 3);
  let rung = 0;
  const limits = { inFlightMax: 2, inFlightPerAccountMax: 2 };
  const onRoom = () => {
    rung += 1;
  };
  const deliverer = createDeliverer(world.context, limits, { onRoom });
  await deliverer.claim();
  await deliverer.idle();
  expect(rung).toBe(2);
});
