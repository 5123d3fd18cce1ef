import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store } from '../store.ts';

/** A route that changed, or all routes of an app. Every process that caches routes reads them again. */
export type RouteTopic =
  /** `*.name` stands for all names below it. */
  { hostname: string; app_id: null } | { hostname: null; app_id: AppId };

export type RouteChange = RouteTopic & { seq: number };

/** Inserts changes. Call it in the transaction of the change itself. */
export async function insertRouteChanges(
  store: Store,
  topics: readonly RouteTopic[],
  createdAt: Instant,
): Promise<void> {
  if (topics.length === 0) return;
  await store.db
    .insertInto('route_changes')
    .values(topics.map((topic) => ({ ...topic, created_at: createdAt })))
    .execute();
}

/** Returns the sequence number of the last committed change, or 0 if there is none. */
export async function lastRouteChange(store: Store): Promise<number> {
  const { max } = store.db.fn;
  const row = await store.db
    .selectFrom('route_changes')
    .select(max('seq').as('last'))
    .executeTakeFirstOrThrow();
  return row.last ?? 0;
}

/** Lists changes in order: those after a number, and the given earlier ones, which were missing because they were committed late. */
export async function listRouteChanges(
  store: Store,
  { after, missing, limit }: { after: number; missing: readonly number[]; limit: number },
): Promise<RouteChange[]> {
  const rows = await store.db
    .selectFrom('route_changes')
    .select(['seq', 'hostname', 'app_id'])
    .where((eb) =>
      missing.length === 0
        ? eb('seq', '>', after)
        : eb.or([eb('seq', '>', after), eb('seq', 'in', [...missing])]),
    )
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows as RouteChange[];
}

export async function deleteRouteChanges(store: Store, before: Instant): Promise<void> {
  await store.db.deleteFrom('route_changes').where('created_at', '<', before).execute();
}
