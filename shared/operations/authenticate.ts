import { LRUCache } from 'lru-cache';
import { hashApiKey, parseApiKey } from '../core/api-key.ts';
import { ServiceError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { monotonicClock } from '../ports/clock.ts';
import { findAccount } from '../store/accounts.ts';
import { findApiKeyByHash, touchApiKey } from '../store/api-keys.ts';
import { getApp } from '../store/apps.ts';
import type { Caller, Context } from './context.ts';

export interface Credentials {
  caller: Caller;
  /** Section 5.5: changes are refused while the account is suspended. */
  suspended: boolean;
}

interface Cached extends Credentials {
  read_at: number;
  last_used_at: number | null;
}

const CACHED_MAX = 10_000;

export interface Authenticator {
  /** @throws ServiceError `unauthorized` for a missing, malformed, unknown or revoked key (section 5.2). */
  authenticate(authorization: string | null): Promise<Credentials>;
}

/**
 * Authentication by API key. A key is cached for 2 s at the most and dropped at once on a notice, so that a revoked one stops
 * within 5 s even where the notice is lost (`docs/idempotency-and-rates.md`).
 */
export function createAuthenticator(context: Context): Authenticator {
  const cache = new LRUCache<string, Cached>({ max: CACHED_MAX });
  let generation = 0;
  context.notices.subscribe((notice) => {
    if (notice.kind !== 'credentials' && notice.kind !== 'gap') return;
    generation += 1;
    if (notice.kind === 'gap') return cache.clear();
    for (const [hash, cached] of cache.entries())
      if (cached.caller.app_id === notice.app_id) cache.delete(hash);
  });
  return {
    async authenticate(authorization) {
      const key = readBearer(authorization);
      if (key === null || parseApiKey(key) === null) throw new ServiceError('unauthorized');
      const hash = hashApiKey(key);
      const cached = cache.get(hash);
      const now = monotonicClock.now();
      if (cached !== undefined && now - cached.read_at < LIMITS.key_cache_ms) {
        noteUse(context, cached);
        return cached;
      }
      const before = generation;
      const read = await readCredentials(context, hash, now);
      // What was revoked while it was being read must not be kept.
      if (before === generation) cache.set(hash, read);
      noteUse(context, read);
      return read;
    },
  };
}

function readBearer(authorization: string | null): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

async function readCredentials(context: Context, hash: string, read_at: number): Promise<Cached> {
  const key = await findApiKeyByHash(context.store, hash);
  if (key === null) throw new ServiceError('unauthorized');
  const app = await getApp(context.store, key.app_id);
  const account = await findAccount(context.store, app.account_id);
  const caller = {
    app_id: app.id,
    account_id: app.account_id,
    key_id: key.id,
    mode: key.mode,
    idempotency: null,
  };
  return { caller, suspended: account?.suspended ?? true, read_at, last_used_at: key.last_used_at };
}

/** `last_used_at` is written at most once a minute, off the request's path (section 2.3). */
function noteUse(context: Context, cached: Cached): void {
  const now = context.clock.now();
  if (cached.last_used_at !== null && now - cached.last_used_at < LIMITS.last_used_every_ms) return;
  cached.last_used_at = now;
  const { key_id } = cached.caller;
  touchApiKey(context.store, key_id, now).catch((error: unknown) => {
    context.log.warn({ error, key_id }, 'last_used_at of a key could not be written');
  });
}
