import type { Delivery } from '../core/delivery.ts';
import type { AppId, DeliveryId, EventId } from '../core/ids.ts';
import { LIMITS } from '../core/limits.ts';
import { ONE, toFlag } from './row-values.ts';
import type { Store } from './store.ts';
import type { DeliveryRow } from './tables.ts';

export async function insertDelivery(store: Store, delivery: Delivery): Promise<void> {
  await store.db
    .insertInto('deliveries')
    .values({ ...delivery, automatic: toFlag(delivery.automatic), finished: toFlag(delivery.finished) })
    .execute();
}

/** The attempt that was claimed and whose outcome nobody recorded: a worker that crashed left it. */
export async function findUnfinishedDelivery(store: Store, event_id: EventId): Promise<Delivery | null> {
  const row = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('event_id', '=', event_id)
    .where('finished', '=', 0)
    .where('automatic', '=', 1)
    .orderBy('attempt', 'desc')
    .limit(ONE)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function finishDelivery(
  store: Store,
  id: DeliveryId,
  outcome: Pick<Delivery, 'status_code' | 'response_ms' | 'error' | 'delivered_at' | 'next_attempt_at'>,
): Promise<Delivery> {
  const row = await store.db
    .updateTable('deliveries')
    .set({ ...outcome, finished: 1 })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(row);
}

/** Newest first, at most 50 (section 2.4). */
export async function listDeliveries(store: Store, event_id: EventId): Promise<Delivery[]> {
  const rows = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('event_id', '=', event_id)
    .orderBy('attempt', 'desc')
    .limit(LIMITS.deliveries_per_event_max)
    .execute();
  return rows.map(fromRow);
}

function fromRow(row: DeliveryRow): Delivery {
  return {
    ...row,
    id: row.id as DeliveryId,
    event_id: row.event_id as EventId,
    app_id: row.app_id as AppId,
    automatic: row.automatic === 1,
    finished: row.finished === 1,
  };
}
