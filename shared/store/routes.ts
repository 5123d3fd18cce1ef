import type { DomainId } from '../core/ids.ts';
import type { Store } from './store.ts';

/** The hostname is routed for this domain from now on; call it within a transaction. @returns whose it was before, or null. */
export async function takeRoute(
  store: Store,
  hostname: string,
  domain_id: DomainId,
): Promise<DomainId | null> {
  // The insert comes first: of two domains that take a free name at the same time, the second waits here and sees the first.
  const inserted = await store.db
    .insertInto('routes')
    .values({ hostname, domain_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return null;
  const before = await findRoute(store, hostname);
  // Dropped between the two statements: the name is free after all.
  if (before === null) return takeRoute(store, hostname, domain_id);
  if (before === domain_id) return null;
  await store.db.updateTable('routes').set({ domain_id }).where('hostname', '=', hostname).execute();
  return before;
}

/** With the row locked, so that two domains of one name take turns. */
export async function findRoute(store: Store, hostname: string): Promise<DomainId | null> {
  const query = store.db.selectFrom('routes').select('domain_id').where('hostname', '=', hostname);
  const row = await (store.flags.row_locks && store.in_transaction
    ? query.forUpdate()
    : query
  ).executeTakeFirst();
  return (row?.domain_id as DomainId | undefined) ?? null;
}

export async function dropRoutes(store: Store, domain_id: DomainId): Promise<void> {
  await store.db.deleteFrom('routes').where('domain_id', '=', domain_id).execute();
}
