import { sql } from 'kysely';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { type Mark, readCommitted } from '../commit-order.ts';
import type { Store, Tx } from '../store.ts';

/** The route of a hostname, or all routes of an app, that changed. Every process that caches these routes reads them again. */
export type RouteTopic =
  /** `*.name` stands for all names below `name`. */
  { hostname: string; app_id: null } | { hostname: null; app_id: AppId };

/** Records changes of routes. Call this in the transaction that changes the routes. */
export async function insertRouteChanges(
  tx: Tx,
  topics: readonly RouteTopic[],
  createdAt: Instant,
): Promise<void> {
  if (topics.length === 0) return;
  await tx.db
    .insertInto('route_changes')
    .values(topics.map((topic) => ({ ...topic, created_at: createdAt })))
    .execute();
}

/** Lists the routes that changed since a mark, and returns the current mark. No hostname or app is listed twice. */
export async function listRouteChanges(
  store: Store,
  since: Mark,
  limit: number,
): Promise<{ now: Mark; rows: RouteTopic[] }> {
  return readCommitted<RouteTopic>(
    store,
    'route_changes',
    { since, until: null },
    (where) => sql`select hostname, app_id from route_changes where ${where}`,
    sql`group by hostname, app_id limit ${limit}`,
  );
}
