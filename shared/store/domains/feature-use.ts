import type { AppId } from '../../core/ids.ts';
import { DELETED } from '../row-values.ts';
import type { Store } from '../store.ts';

/** Counts the domains of an app whose records point through a name. */
export async function countDomainsRoutedThrough(store: Store, appId: AppId, name: string): Promise<number> {
  const row = await store.db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('app_id', '=', appId)
    .where('routed_through', '=', name)
    .where('status', '<>', DELETED)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Counts the live domains of an app that have an origin of their own. */
export async function countDomainsWithOrigin(store: Store, appId: AppId): Promise<number> {
  const row = await store.db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('app_id', '=', appId)
    .where('mode', '=', 'live')
    .where('status', '<>', DELETED)
    .where('origin', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
