import { expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import type { StoredEvent } from '../../../shared/core/webhooks/delivery.ts';
import { EVENT_TYPES } from '../../../shared/core/webhooks/event.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import {
  type EventFilter,
  endCancelledEvents,
  findEvent,
  firstPendingEvents,
  getEventById,
  lockEventsUnderLease,
  selectEvents,
} from '../../../shared/store/events/events.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { claimDue } from '../events/lane-claims.ts';
import { allPages } from '../pages.ts';
import { anApp, anEvent, NOW, newId, scopeOf } from '../rows.ts';
import { insertEvent, updateEventDeliveries, wakeLane } from '../writes.ts';

const WHOLE: Partial<StoredEvent> = {
  mode: 'test',
  seq: 9,
  type: 'domain.released',
  previous_status: 'held',
  status: null,
  body: `{"a":"ü 🦔 \\" ' %"}\n`,
  delivery_status: 'failed',
  attempts: 11,
  tries: 8,
  first_attempt_at: NOW + 1,
  last_status_code: 503,
  last_error: 'timeout',
  last_attempt_at: NOW + 2,
  next_attempt_at: null,
};

export function eventTests(store: () => Tx): void {
  const insert = async (...events: StoredEvent[]) => {
    for (const event of events) await insertEvent(store(), event);
  };
  const listed = async (event: StoredEvent, filter: EventFilter = {}) =>
    (await selectEvents(store(), scopeOf(event), filter, { limit: 50, after: null })).rows;

  test.each([anEvent(), anEvent(WHOLE)])('reads an event as it was written: %j', async (event) => {
    await insert(event, anEvent());
    expect(await findEvent(store(), scopeOf(event), event.id)).toEqual(event);
    expect(await getEventById(store(), event.id)).toEqual(event);
  });

  test('does not find an event of another app, in the other mode, or by another id', async () => {
    const event = anEvent();
    await insert(event);
    const { app_id, mode, id } = event;
    expect(await findEvent(store(), { app_id: newId('app'), mode }, id)).toBeNull();
    expect(await findEvent(store(), { app_id, mode: 'test' }, id)).toBeNull();
    expect(await findEvent(store(), { app_id, mode }, newId('evt'))).toBeNull();
    await expect(getEventById(store(), newId('evt'))).rejects.toThrow();
  });

  test('refuses a second event with the same number in a domain', async () => {
    const event = anEvent();
    await insert(event);
    await expect(insertEvent(store(), anEvent({ domain_id: event.domain_id }))).rejects.toThrow();
  });

  test('lists the events of the app and mode, newest first, and filters by domain and type', async () => {
    const appId = newId('app');
    const domainId = newId('dom');
    const first = anEvent({ app_id: appId, domain_id: domainId, created_at: NOW });
    const other = anEvent({ app_id: appId, created_at: NOW + 1, type: 'domain.active' });
    const second = anEvent({
      app_id: appId,
      domain_id: domainId,
      seq: 2,
      created_at: NOW + 2,
      type: 'domain.active',
    });
    const inTest = anEvent({ app_id: appId, mode: 'test' });
    await insert(second, inTest, first, other, anEvent());
    expect(await listed(first)).toEqual([second, other, first]);
    expect(await listed(inTest)).toEqual([inTest]);
    expect(await listed(first, { domain_id: domainId })).toEqual([second, first]);
    expect(await listed(first, { type: 'domain.active' })).toEqual([second, other]);
    expect(await listed(first, { domain_id: domainId, type: 'domain.active' })).toEqual([second]);
    expect(await listed(first, { domain_id: inTest.domain_id })).toEqual([]);
    expect(await listed(first, { domain_id: `${domainId}%` })).toEqual([]);
  });

  test.each(EVENT_TYPES)('finds only %s events by type', async (type) => {
    const appId = newId('app');
    const events = EVENT_TYPES.map((each) => anEvent({ app_id: appId, type: each }));
    await insert(...events);
    expect(await listed(anEvent({ app_id: appId }), { type })).toEqual(
      events.filter((event) => event.type === type),
    );
  });

  test.each(['pending', 'delivered', 'failed', 'none'] as const)(
    'the filter for %s deliveries finds the events whose delivery has that status now',
    async (delivery) => {
      const event = anEvent({ delivery_status: delivery });
      const changed = anEvent({ app_id: event.app_id });
      const statuses = ['pending', 'delivered', 'failed', 'none'] as const;
      const others = statuses
        .filter((status) => status !== delivery)
        .map((status) => anEvent({ app_id: event.app_id, delivery_status: status }));
      await insert(event, ...others, changed);
      await updateEventDeliveries(store(), [{ ...changed, delivery_status: delivery }]);
      expect((await listed(event, { delivery })).map(({ id }) => id)).toEqual(
        [event.id, changed.id].sort().reverse(),
      );
      expect(await listed(event, { delivery, domain_id: others[0]?.domain_id })).toEqual([]);
    },
  );

  test('pages have no gap or repetition, also among events of one millisecond', async () => {
    const appId = newId('app');
    const events = Array.from({ length: 7 }, (_, i) =>
      anEvent({ app_id: appId, created_at: NOW + (i > 2 ? 1 : 0) }),
    );
    await insert(...events);
    for (const limit of [1, 3, 7, 100]) {
      const scope = { app_id: appId, mode: 'live' } as const;
      const pages = await allPages((after) => selectEvents(store(), scope, {}, { limit, after }));
      expect(pages.flat()).toEqual(events.toReversed());
      expect(pages).toHaveLength(Math.ceil(7 / limit));
    }
  });

  test("the head of a lane is the domain's first pending event by number, not by time", async () => {
    const domainId = newId('dom');
    const first = anEvent({ domain_id: domainId, seq: 9, created_at: NOW + 5 });
    const second = anEvent({ domain_id: domainId, seq: 10, created_at: NOW });
    const done = (['delivered', 'failed', 'none'] as const).map((deliveryStatus, i) =>
      anEvent({ domain_id: domainId, seq: i + 1, delivery_status: deliveryStatus }),
    );
    const head = async () =>
      (await firstPendingEvents(store(), [{ domain_id: domainId, after_seq: 0, from_epoch: 0 }])).get(
        domainId,
      );
    expect(await head()).toBeUndefined();
    await insert(...done, anEvent());
    expect(await head()).toBeUndefined();
    await insert(second, first);
    expect(await head()).toEqual(first);
    await updateEventDeliveries(store(), [{ ...first, delivery_status: 'delivered' }]);
    expect(await head()).toEqual(second);
  });

  test('reads the heads of many lanes at once, as one by one', async () => {
    const [one, two, none] = [newId('dom'), newId('dom'), newId('dom')];
    const behind = (afterSeq: number, ...ids: DomainId[]) =>
      ids.map((domainId) => ({ domain_id: domainId, after_seq: afterSeq, from_epoch: 0 }));
    const heads = [anEvent({ domain_id: one, seq: 2 }), anEvent({ domain_id: two, seq: 7 })];
    await insert(...heads, anEvent({ domain_id: one, seq: 3 }), anEvent({ domain_id: two, seq: 9 }));
    await insert(anEvent({ domain_id: one, seq: 1, delivery_status: 'delivered' }), anEvent());
    await insert(anEvent({ domain_id: none, delivery_status: 'failed' }));
    expect(await firstPendingEvents(store(), behind(0, one, none, two))).toEqual(
      new Map(heads.map((event) => [event.domain_id, event])),
    );
    const second = await firstPendingEvents(store(), behind(2, one, none));
    expect([...second.values()].map(({ seq }) => seq)).toEqual([3]);
    expect(await firstPendingEvents(store(), [])).toEqual(new Map());
  });

  test('the first pending event of a lane is never an event of an earlier epoch', async () => {
    const domainId = newId('dom');
    const events = [0, 1, 2].map((epoch) =>
      anEvent({ domain_id: domainId, seq: epoch + 1, webhook_epoch: epoch }),
    );
    await insert(...events);
    for (const [epoch, event] of events.entries()) {
      const lane = { domain_id: domainId, after_seq: 0, from_epoch: epoch };
      expect(await firstPendingEvents(store(), [lane])).toEqual(new Map([[domainId, event]]));
    }
  });

  test('reads sent events as they are now, except those whose lease was lost', async () => {
    const [event, lost] = [anEvent(), anEvent()];
    await insert(event, lost);
    for (const { domain_id, app_id } of [event, lost]) await wakeLane(store(), domain_id, app_id, NOW);
    const lanes = await claimDue(store(), NOW);
    const leaseId = lanes.find(({ domain_id }) => domain_id === event.domain_id)?.lease_id ?? newId('lea');
    const now: StoredEvent = { ...event, attempts: 3, delivery_status: 'failed', last_error: 'x' };
    await updateEventDeliveries(store(), [now]);
    const read = await inTransaction(store(), (tx) =>
      lockEventsUnderLease(tx, [
        { domain_id: event.domain_id, lease_id: leaseId, event },
        { domain_id: lost.domain_id, lease_id: newId('lea'), event: lost },
      ]),
    );
    expect(read).toEqual(new Map([[leaseId, now]]));
  });

  test('updates the delivery state of one event only', async () => {
    const event = anEvent();
    const other = anEvent();
    await insert(event, other);
    const { attempts, tries, first_attempt_at, last_attempt_at } = { ...event, ...WHOLE };
    const begun = { attempts, tries, first_attempt_at, last_attempt_at };
    await updateEventDeliveries(store(), [{ ...event, ...begun }]);
    expect(await getEventById(store(), event.id)).toEqual({ ...event, ...begun });
    const ended = {
      delivery_status: 'failed',
      last_status_code: 500,
      last_error: 'x',
      next_attempt_at: null,
    } as const;
    await updateEventDeliveries(store(), [{ ...event, ...begun, ...ended }]);
    expect(await getEventById(store(), event.id)).toEqual({ ...event, ...begun, ...ended });
    expect(await getEventById(store(), other.id)).toEqual(other);
  });

  test('cancelled events become `failed` after an attempt, else `none`', async () => {
    const app = anApp({ webhook_epoch: 1 });
    const appId = app.id;
    await insertApp(store(), app);
    const untried = anEvent({ app_id: appId });
    const tried = anEvent({ app_id: appId, mode: 'test', attempts: 2, next_attempt_at: NOW + 9 });
    const delivered = anEvent({
      app_id: appId,
      delivery_status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
    });
    const [otherLane, foreign] = [anEvent({ app_id: appId }), anEvent()];
    const later = anEvent({ app_id: appId, domain_id: untried.domain_id, seq: 2, webhook_epoch: 1 });
    const unchanged = [delivered, otherLane, foreign, later];
    await insert(untried, tried, ...unchanged);
    const lanes = [untried, tried, delivered, foreign].map(({ domain_id }) => domain_id);
    await endCancelledEvents(store(), lanes);
    const end = { next_attempt_at: null };
    expect(await getEventById(store(), untried.id)).toEqual({ ...untried, ...end, delivery_status: 'none' });
    expect(await getEventById(store(), tried.id)).toEqual({ ...tried, ...end, delivery_status: 'failed' });
    for (const event of unchanged) expect(await getEventById(store(), event.id)).toEqual(event);
  });

  test('ends nothing for no lanes', async () => {
    const event = anEvent();
    await insert(event);
    await endCancelledEvents(store(), []);
    expect(await getEventById(store(), event.id)).toEqual(event);
  });
}
