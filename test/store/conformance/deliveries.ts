import { expect, test } from 'vitest';
import type { EventId } from '../../../shared/core/ids.ts';
import type { Delivery } from '../../../shared/core/webhooks/delivery.ts';
import { findUnfinishedDeliveries, listDeliveries } from '../../../shared/store/events/deliveries.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { aDelivery, NOW, newId } from '../rows.ts';
import { saveDeliveries } from '../writes.ts';

export function deliveryTests(store: () => Tx): void {
  const insert = (...deliveries: Delivery[]) => saveDeliveries(store(), deliveries);
  const unfinished = (...eventIds: EventId[]) => findUnfinishedDeliveries(store(), eventIds);

  test.each([
    aDelivery(),
    aDelivery({
      automatic: false,
      finished: true,
      attempt: 12,
      status_code: 204,
      response_ms: 31,
      error: 'timeout',
      delivered_at: NOW + 1,
      next_attempt_at: NOW + 2,
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'no “such” hook',
    }),
  ])('lists a delivery as it was written: %j', async (delivery) => {
    await insert(delivery, aDelivery());
    expect(await listDeliveries(store(), delivery.event_id)).toEqual([delivery]);
  });

  test('refuses a second row for the same attempt of an event', async () => {
    const delivery = aDelivery();
    await insert(delivery);
    await expect(insert(aDelivery({ event_id: delivery.event_id }))).rejects.toThrow();
  });

  test('lists deliveries by attempt, newest first, 50 at most', async () => {
    const eventId = newId('evt');
    const deliveries = Array.from({ length: 53 }, (_, i) => aDelivery({ event_id: eventId, attempt: i + 1 }));
    await insert(...deliveries);
    expect(await listDeliveries(store(), eventId)).toEqual(deliveries.toReversed().slice(0, 50));
    expect(await listDeliveries(store(), newId('evt'))).toEqual([]);
  });

  test('each outcome finishes its own delivery, while others begin', async () => {
    const delivery = aDelivery();
    const other = aDelivery({ event_id: delivery.event_id, attempt: 2 });
    const failed = aDelivery();
    await insert(delivery, other, failed);
    const outcome = {
      status_code: 200,
      response_ms: 12,
      error: null,
      delivered_at: NOW + 7,
      next_attempt_at: null,
    };
    const finished = { ...delivery, ...outcome, finished: true };
    const alsoFinished = { ...failed, finished: true, error: 'timeout', next_attempt_at: NOW + 9 };
    const next = aDelivery({ event_id: failed.event_id, attempt: 2 });
    await saveDeliveries(store(), [finished, alsoFinished, next]);
    expect(await listDeliveries(store(), delivery.event_id)).toEqual([other, finished]);
    expect(await listDeliveries(store(), failed.event_id)).toEqual([next, alsoFinished]);
    await saveDeliveries(store(), []);
  });

  test('finds the last automatic attempt without an outcome as left by a crashed worker', async () => {
    const eventId = newId('evt');
    const finished = aDelivery({ event_id: eventId, attempt: 1, finished: true });
    const left = aDelivery({ event_id: eventId, attempt: 2 });
    const byHand = aDelivery({ event_id: eventId, attempt: 3, automatic: false });
    await insert(finished, byHand, aDelivery());
    expect(await unfinished(eventId)).toEqual(new Map());
    await insert(left);
    expect(await unfinished(eventId, newId('evt'))).toEqual(new Map([[eventId, left]]));
    await saveDeliveries(store(), [{ ...left, finished: true, error: 'timeout' }]);
    expect(await unfinished(eventId)).toEqual(new Map());
  });
}
