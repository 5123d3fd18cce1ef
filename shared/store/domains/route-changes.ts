import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store } from '../store.ts';

/** That a hostname, or all of an app, has to be read again by whoever remembers where it leads. */
export type RouteTopic =
  /** `*.name`: all below it. */
  { hostname: string; app_id: null } | { hostname: null; app_id: AppId };

export type RouteChange = RouteTopic & { seq: number };

/** In the transaction of the change itself. */
export async function insertRouteChanges(
  store: Store,
  topics: readonly RouteTopic[],
  created_at: Instant,
): Promise<void> {
  if (topics.length === 0) return;
  await store.db
    .insertInto('route_changes')
    .values(topics.map((topic) => ({ ...topic, created_at })))
    .execute();
}

/** The last that was committed; 0 where there is none. */
export async function lastRouteChange(store: Store): Promise<number> {
  const { max } = store.db.fn;
  const row = await store.db
    .selectFrom('route_changes')
    .select(max('seq').as('last'))
    .executeTakeFirstOrThrow();
  return row.last ?? 0;
}

/** Those after one, and of those before it the ones that were missing so far, in their order. */
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
