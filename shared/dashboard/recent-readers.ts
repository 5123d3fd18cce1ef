import { LRUCache } from 'lru-cache';
import type { AppId } from '../core/ids.ts';
import { LIMITS } from '../core/limits.ts';
import type { Context } from '../operations/context.ts';
import { findSignedInToApp } from '../operations/members/permit.ts';
import type { Clock } from '../ports/system.ts';
import type { AppRequester } from '../store/accounts/app-requesters.ts';

/**
 * Caches for 2 s who may read an app, because a page requests several lists at once. A node thus refuses an ended session or a removed
 * member after at most 2 s, well within the documented 5 s (`docs/dashboard.md`). Changes never use this cache.
 */
export interface RecentReaders {
  /** @param token the value of the session cookie. @returns null if there is no session, or if it has ended. */
  find(token: string | null, appId: AppId): Promise<AppRequester | null>;
  /** Clears the cache. Call this after each request that may have changed who may read an app. */
  forget(): void;
}

const READERS_MAX = 1_000;

/** @param ageClock a monotonic clock that measures the age of entries. */
export function createRecentReaders(context: Context, ageClock: Clock): RecentReaders {
  const cache = new LRUCache<string, { requester: AppRequester; readAt: number }>({ max: READERS_MAX });
  let generation = 0;
  return {
    async find(token, appId) {
      const key = `${appId} ${token}`;
      const cached = cache.get(key);
      if (cached !== undefined && ageClock.now() - cached.readAt < LIMITS.key_cache_ms)
        return cached.requester;
      const [before, readAt] = [generation, ageClock.now()];
      const requester = await findSignedInToApp(context, token, appId);
      // If the cache was cleared during the read, the result may be out of date, so it is not cached.
      if (requester !== null && before === generation) cache.set(key, { requester, readAt });
      return requester;
    },
    forget() {
      generation += 1;
      cache.clear();
    },
  };
}
