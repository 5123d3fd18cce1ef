import type { DomainId } from '../core/ids.ts';
import type { Store } from './store.ts';

/** The hostname is routed for this domain from now on. @returns whose it was before, or null. */
export async function takeRoute(
  store: Store,
  hostname: string,
  domain_id: DomainId,
): Promise<DomainId | null> {
  const before = await findRoute(store, hostname);
  if (before === domain_id) return null;
  await store.db
    .insertInto('routes')
    .values({ hostname, domain_id })
    .onConflict((conflict) => conflict.column('hostname').doUpdateSet({ domain_id }))
    .execute();
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
