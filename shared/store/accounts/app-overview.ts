import { sql } from 'kysely';
import { type Mode, STATUSES, type Status } from '../../core/domains/status.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { COUNTED_MAX } from '../../core/limits.ts';
import { rowList } from '../row-list.ts';
import type { Store } from '../store.ts';

/** Counts the domains of an app in one mode by status, up to `COUNTED_MAX` of each status. Leaves out deleted domains. */
export async function countByStatus(
  store: Store,
  appId: AppId,
  mode: Mode,
): Promise<Partial<Record<Status, number>>> {
  const given = rowList(store, { status: 'text' }, LISTED);
  const counted = sql`
    select count(*) from (
      select 1 from domains where app_id = ${appId} and mode = ${mode} and status = given.status limit ${sql.lit(COUNTED_MAX)}) first`;
  const { rows } = await sql<{ status: Status; count: number }>`
    select given.status, (${counted}) as count from ${given}`.execute(store.db);
  return Object.fromEntries(
    rows.flatMap(({ status, count }) => (count > 0 ? [[status, Number(count)]] : [])),
  );
}

const LISTED = STATUSES.filter((status) => status !== 'deleted').map((status) => ({ status }));

/** Counts the newest events, up to `COUNTED_MAX`, by delivery status. @param since counts only events that were created after this time. */
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
    .limit(COUNTED_MAX);
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
