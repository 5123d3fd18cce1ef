import type { Mode, Status } from '../../core/domains/status.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { DELETED } from '../row-values.ts';
import type { Store } from '../store.ts';

/** Maximum number of events that one overview reads, to limit its cost. */
const EVENTS_READ_MAX = 1000;

/** Counts the domains of an app by mode and status, without the deleted ones. An index has them in this order. */
export async function countByStatus(
  store: Store,
  appId: AppId,
  mode: Mode,
): Promise<Partial<Record<Status, number>>> {
  const rows = await store.db
    .selectFrom('domains')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')] as const)
    .where('app_id', '=', appId)
    .where('mode', '=', mode)
    .where('status', '<>', DELETED)
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Counts the newest thousand events by delivery status. @param since only events created after this. */
export async function countDeliveries(
  store: Store,
  appId: AppId,
  mode: Mode,
  since: Instant,
): Promise<Record<string, number>> {
  const newest = store.db
    .selectFrom('events')
    .select('delivery_status')
    .where('app_id', '=', appId)
    .where('mode', '=', mode)
    .where('created_at', '>', since)
    .where('created_at', '<>', -1)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(EVENTS_READ_MAX);
  const rows = await store.db
    .selectFrom(newest.as('newest'))
    .select((eb) => ['delivery_status', eb.fn.countAll<number>().as('count')] as const)
    .groupBy('delivery_status')
    .execute();
  return Object.fromEntries(rows.map(({ delivery_status: status, count }) => [status, Number(count)]));
}

/** Returns whether any key of the app was ever used. */
export async function wasKeyUsed(store: Store, appId: AppId): Promise<boolean> {
  const row = await store.db
    .selectFrom('api_keys')
    .select('id')
    .where('app_id', '=', appId)
    .where('last_used_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
