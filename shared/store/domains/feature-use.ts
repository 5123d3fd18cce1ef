import type { DomainMode } from '../../core/domains/status.ts';
import type { AppId, DomainId } from '../../core/ids.ts';
import { DELETED } from '../row-values.ts';
import type { Store } from '../store.ts';

/** Counts the domains of an app whose records point to us through this name. */
export async function countDomainsRoutedThrough(store: Store, appId: AppId, name: string): Promise<number> {
  const { count } = await counted(store, appId).where('routed_through', '=', name).executeTakeFirstOrThrow();
  return count;
}

/** Counts the live domains of an app that have an origin of their own. */
export async function countDomainsWithOrigin(store: Store, appId: AppId): Promise<number> {
  const query = counted(store, appId).where('mode', '=', 'live').where('origin', 'is not', null);
  return (await query.executeTakeFirstOrThrow()).count;
}

function counted(store: Store, appId: AppId) {
  return store.db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('app_id', '=', appId)
    .where('status', '<>', DELETED);
}

/** Returns an app's domains in `dns_broken` with one of these reasons. Leaves out domains that point to us through `brokenHost`. */
export async function findDomainsBrokenBy(
  store: Store,
  broken: {
    appId: AppId;
    modes: readonly DomainMode[];
    reasons: readonly string[];
    brokenHost: string | null;
  },
  limit: number,
): Promise<DomainId[]> {
  const query = store.db
    .selectFrom('domains')
    .select('id')
    .where('app_id', '=', broken.appId)
    .where('mode', 'in', broken.modes)
    .where('status', '=', 'dns_broken')
    .where('status_reason', 'in', broken.reasons)
    .orderBy('id')
    .limit(limit);
  const { brokenHost } = broken;
  const rows = await (brokenHost === null
    ? query
    : query.where('routed_through', 'is distinct from', brokenHost)
  ).execute();
  return rows.map(({ id }) => id);
}
