import { expect, test } from 'vitest';
import { createPacer } from '../../../cli/events/pacer.ts';
import { createRedelivering } from '../../../cli/events/redelivering.ts';
import { initialView, reduceView } from '../../../cli/events/view/view-state.ts';
import { createScreenStore } from '../../../cli/screen/screen.tsx';
import type { Client } from '../../../shared/client/client.ts';
import type { DeliveryResource } from '../../../shared/schema/event.ts';
import { apiError, eventAt } from './event-list.ts';
import { answer, NOW } from './view.tsx';

const EVENTS = [eventAt(0), eventAt(1), eventAt(2)];

/** @param outcomes the outcome of the call for some events, by the number of the event. All other calls succeed. */
function redeliveringOf(outcomes: Record<number, Error | number>) {
  const store = createScreenStore(reduceView, initialView({ source: 'test', time: { nowMs: 0, now: NOW } }));
  store.dispatch(answer(EVENTS));
  const sent: string[] = [];
  const clock = { now_ms: 0 };
  const pacer = createPacer();
  const redeliver = async (id: string): Promise<DeliveryResource> => {
    sent.push(id);
    const outcome = outcomes[Number(id.slice(4))] ?? 200;
    if (typeof outcome !== 'number') throw outcome;
    return { id: 'dlv_1', attempt: 2, status_code: outcome, response_ms: 5, error: null } as DeliveryResource;
  };
  const redelivering = createRedelivering({
    store,
    client: { events: { redeliver } } as unknown as Client,
    pacer: {
      ...pacer,
      // The pause ends early, as if it were interrupted.
      pause: async (waitMs) => {
        clock.now_ms += Math.ceil(waitMs / 3);
      },
    },
    elapsedMs: () => clock.now_ms,
  });
  const row = (n: number) => ({ redelivery: store.get().rows.redeliveries.get(eventAt(n).id) ?? null });
  return { redelivering, store, sent, row, clock, outcomes };
}

test('the event view shows the response to a redelivery on the row and in the notice, and reduces the remaining limit', async () => {
  const { redelivering, store, row } = redeliveringOf({ 1: 500 });
  await redelivering.one(EVENTS[0] ?? eventAt(0));
  expect(row(0)).toMatchObject({ redelivery: { state: 'answered', delivery: { status_code: 200 } } });
  expect(store.get()).toMatchObject({ notice: { tone: 'good' }, budget: { used: 1 } });
  await redelivering.one(EVENTS[1] ?? eventAt(1));
  expect(store.get()).toMatchObject({ notice: { tone: 'bad' }, budget: { used: 2 } });
});

test('the event view sends an event only once if its redelivery is requested again before the response', async () => {
  const { redelivering, sent } = redeliveringOf({});
  await Promise.all([redelivering.one(eventAt(0)), redelivering.one(eventAt(0))]);
  expect(sent).toEqual([eventAt(0).id]);
  await redelivering.one(eventAt(0));
  expect(sent).toHaveLength(2);
});

test('the event view shows a refusal on the row, and allows no more redeliveries after a 429', async () => {
  const { redelivering, store, row } = redeliveringOf({ 0: apiError(429, 'rate_limited', 42) });
  await expect(redelivering.one(eventAt(0))).rejects.toMatchObject({ code: 'rate_limited' });
  expect(row(0)).toMatchObject({
    redelivery: { state: 'refused', problem: expect.stringContaining('Wait 42 s.') },
  });
  expect(store.get().budget.used).toBe(10);
});

test('the event view redelivers all events despite the rate limit, and counts the events that got a 2xx', async () => {
  const { redelivering, store, sent, clock, outcomes } = redeliveringOf({
    0: 500,
    1: apiError(429, 'rate_limited', 30),
  });
  const stop = store.subscribe(() => {
    const { bulk } = store.get();
    if (bulk?.waitingUntilMs) outcomes[1] = 200;
  });
  await redelivering.all(EVENTS);
  stop();
  expect(sent).toEqual([0, 1, 1, 2].map((n) => eventAt(n).id));
  expect(clock.now_ms).toBeGreaterThanOrEqual(30_000);
  expect(store.get()).toMatchObject({
    bulk: null,
    notice: { text: 'Redelivered 3 events, 2 got a 2xx.', tone: 'bad' },
  });
});

test('the event view sends no more events if the redelivery is stopped while it waits for the rate limit', async () => {
  const { redelivering, store, sent, row } = redeliveringOf({ 0: apiError(429, 'rate_limited', 30) });
  const off = store.subscribe(() => {
    if (store.get().bulk?.waitingUntilMs) redelivering.stop();
  });
  await redelivering.all(EVENTS);
  off();
  expect(sent).toEqual([eventAt(0).id]);
  expect(row(0)).toMatchObject({ redelivery: { state: 'refused' } });
  expect(store.get().notice?.text).toBe('Redelivered 0 events, 0 got a 2xx. 3 not sent.');
});
