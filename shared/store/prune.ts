import type { Instant } from '../core/instant.ts';
import { PENDING } from './row-values.ts';
import type { Store } from './store.ts';

/** Rows deleted by one statement at the most, so that none holds locks for long. */
const BATCH = 1000;

export interface PruneBefore {
  idempotency: Instant;
  /** Events whose delivery has ended, with their deliveries. */
  events: Instant;
  rate_windows: Instant;
}

/** Deletes one batch of what was kept long enough. @returns whether there may be more. */
export async function prune(store: Store, before: PruneBefore): Promise<boolean> {
  const { db } = store;
  const keys = await db
    .deleteFrom('idempotency')
    .where((eb) =>
      eb(
        eb.refTuple('app_id', 'mode', 'key'),
        'in',
        eb
          .selectFrom('idempotency')
          .select(['app_id', 'mode', 'key'])
          .where('created_at', '<', before.idempotency)
          .limit(BATCH)
          .$asTuple('app_id', 'mode', 'key'),
      ),
    )
    .executeTakeFirst();
  const ended = await db
    .selectFrom('events')
    .select('id')
    .where('delivery_status', '<>', PENDING)
    .where('created_at', '<', before.events)
    .limit(BATCH)
    .execute();
  if (ended.length > 0) {
    const ids = ended.map(({ id }) => id);
    await db.deleteFrom('deliveries').where('event_id', 'in', ids).execute();
    await db.deleteFrom('events').where('id', 'in', ids).execute();
  }
  const windows = await db
    .deleteFrom('rate_windows')
    .where('name', 'in', (eb) =>
      eb.selectFrom('rate_windows').select('name').where('opened_at', '<', before.rate_windows).limit(BATCH),
    )
    .executeTakeFirst();
  return (
    Number(keys.numDeletedRows) >= BATCH || ended.length >= BATCH || Number(windows.numDeletedRows) >= BATCH
  );
}
