import { LRUCache } from 'lru-cache';
import type { AppId } from '../core/ids.ts';
import { LIMITS } from '../core/limits.ts';
import type { Context } from '../operations/context.ts';
import { findSignedInToApp } from '../operations/members/permit.ts';
import type { Clock } from '../ports/system.ts';
import type { AppRequester } from '../store/accounts/app-requesters.ts';

/**
 * Remembers for at most 2 s who may read an app, as the API does for keys: a page asks for several lists at once. An ended session and a
 * removed member are thus refused within 5 s on every node. A change is never permitted from memory.
 */
export interface RecentReaders {
  /** @param token the session's cookie. @returns null without a live session. */
  find(token: string | null, appId: AppId): Promise<AppRequester | null>;
  /** Forgets everyone, because a request to this node may have changed who may read. */
  forget(): void;
}

const READERS_MAX = 1_000;

/** @param ageClock a monotonic clock, which measures how old an entry is. */
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
      // If something changed during the read, it may have missed the change.
      if (requester !== null && before === generation) cache.set(key, { requester, readAt });
      return requester;
    },
    forget() {
      generation += 1;
      cache.clear();
    },
  };
}
