import { LRUCache } from 'lru-cache';
import type { AccountId, AppId } from '../../core/ids.ts';
import { getApp } from '../../store/accounts/apps.ts';
import type { Store } from '../../store/store.ts';

/** Returns a function that finds the account of an app, whose share its visitors use. An app never changes its account. */
export function createAccountFinder(store: Store): (appId: AppId) => Promise<AccountId> {
  const known = new LRUCache<AppId, AccountId>({ max: 10_000 });
  return async (appId) => {
    const found = known.get(appId) ?? (await getApp(store, appId)).account_id;
    known.set(appId, found);
    return found;
  };
}
