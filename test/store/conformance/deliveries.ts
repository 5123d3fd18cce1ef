import { expect, test } from 'vitest';
import type { Delivery } from '../../../shared/core/delivery.ts';
import {
  findUnfinishedDelivery,
  finishDelivery,
  insertDelivery,
  listDeliveries,
} from '../../../shared/store/deliveries.ts';
import type { Store } from '../../../shared/store/store.ts';
import { aDelivery, NOW, newId } from '../rows.ts';

export function deliveryTests(store: () => Store): void {
  const insert = async (...deliveries: Delivery[]) => {
    for (const delivery of deliveries) await insertDelivery(store(), delivery);
  };

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
    }),
  ])('a delivery is listed as it was written: %j', async (delivery) => {
    await insert(delivery, aDelivery());
    expect(await listDeliveries(store(), delivery.event_id)).toEqual([delivery]);
  });

  test('an attempt of an event is written once', async () => {
    const delivery = aDelivery();
    await insert(delivery);
    await expect(insertDelivery(store(), aDelivery({ event_id: delivery.event_id }))).rejects.toThrow();
  });

  test('deliveries are listed by attempt, newest first, 50 at the most', async () => {
    const event_id = newId('evt');
    const deliveries = Array.from({ length: 53 }, (_, i) => aDelivery({ event_id, attempt: i + 1 }));
    await insert(...deliveries);
    expect(await listDeliveries(store(), event_id)).toEqual(deliveries.toReversed().slice(0, 50));
    expect(await listDeliveries(store(), newId('evt'))).toEqual([]);
  });

  test('an outcome finishes that delivery alone', async () => {
    const delivery = aDelivery();
    const other = aDelivery({ event_id: delivery.event_id, attempt: 2 });
    await insert(delivery, other);
    const outcome = {
      status_code: 200,
      response_ms: 12,
      error: null,
      delivered_at: NOW + 7,
      next_attempt_at: null,
    };
    const finished = { ...delivery, ...outcome, finished: true };
    expect(await finishDelivery(store(), delivery.id, outcome)).toEqual(finished);
    expect(await listDeliveries(store(), delivery.event_id)).toEqual([other, finished]);
    await expect(finishDelivery(store(), newId('dlv'), outcome)).rejects.toThrow();
  });

  test('what a crashed worker left is the last automatic attempt without an outcome', async () => {
    const event_id = newId('evt');
    const finished = aDelivery({ event_id, attempt: 1, finished: true });
    const left = aDelivery({ event_id, attempt: 2 });
    const by_hand = aDelivery({ event_id, attempt: 3, automatic: false });
    await insert(finished, by_hand, aDelivery());
    expect(await findUnfinishedDelivery(store(), event_id)).toBeNull();
    await insert(left);
    expect(await findUnfinishedDelivery(store(), event_id)).toEqual(left);
    const outcome = {
      status_code: null,
      response_ms: null,
      error: 'timeout',
      delivered_at: null,
      next_attempt_at: null,
    };
    await finishDelivery(store(), left.id, outcome);
    expect(await findUnfinishedDelivery(store(), event_id)).toBeNull();
  });
}
