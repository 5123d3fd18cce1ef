import { LRUCache } from 'lru-cache';
import { hashApiKey, parseApiKey } from '../core/api-key.ts';
import { ServiceError } from '../core/errors.ts';
import type { AppId } from '../core/ids.ts';
import { LIMITS } from '../core/limits.ts';
import { monotonicClock } from '../ports/clock.ts';
import { findAccount } from '../store/accounts.ts';
import { findApiKeyByHash, touchApiKey } from '../store/api-keys.ts';
import { getApp } from '../store/apps.ts';
import type { Store } from '../store/store.ts';
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
  /**
   * @param network of the caller: lookups of keys that this node does not know are shared out among networks.
   * @throws ServiceError `unauthorized` for a missing, malformed, unknown or revoked key (section 5.2).
   */
  authenticate(authorization: string | null, network?: string): Promise<Credentials>;
}

/** Stores over connections that only keys are read over, so that made-up keys keep no app from its work. */
export interface KeyStores {
  /** For keys that this node has seen before. */
  knownKeys(app_id: AppId): Store;
  unknownKeys(network: string): Store;
  /** For the time of a key's last use. */
  ofApp(app_id: AppId): Store;
}

/**
 * Authentication by API key. A key is cached for 2 s at the most and dropped at once on a notice, so that a revoked one stops
 * within 5 s even where the notice is lost (`docs/idempotency-and-rates.md`).
 */
export function createAuthenticator(context: Context, stores: KeyStores = storesOf(context)): Authenticator {
  const cache = new LRUCache<string, Cached>({ max: CACHED_MAX });
  /** Reads that have begun since the latest notice, by hash. */
  const reads = new Map<string, Promise<Cached>>();
  let generation = 0;
  context.notices.subscribe((notice) => {
    if (notice.kind !== 'credentials' && notice.kind !== 'gap') return;
    generation += 1;
    // A read from before the notice may not know what it says.
    reads.clear();
    // Read again before it counts; a key that was seen keeps its place among those that this node knows.
    for (const cached of cache.values())
      if (notice.kind === 'gap' || cached.caller.app_id === notice.app_id)
        cached.read_at = Number.NEGATIVE_INFINITY;
  });

  /** However many requests come with one key, it is read once. */
  function readOnce(hash: string, store: Store): Promise<Cached> {
    const begun = reads.get(hash);
    if (begun !== undefined) return begun;
    const before = generation;
    const read = readCredentials(store, hash)
      .then((cached) => {
        if (cached === null) {
          cache.delete(hash);
          throw new ServiceError('unauthorized');
        }
        // What was revoked while it was being read must not be kept.
        if (before === generation) cache.set(hash, cached);
        return cached;
      })
      .finally(() => {
        if (reads.get(hash) === read) reads.delete(hash);
      });
    reads.set(hash, read);
    return read;
  }

  function noteUse(cached: Cached): void {
    const now = context.clock.now();
    if (cached.last_used_at !== null && now - cached.last_used_at < LIMITS.last_used_every_ms) return;
    cached.last_used_at = now;
    const { key_id, app_id } = cached.caller;
    // Off the path of the request (section 2.3).
    touchApiKey(stores.ofApp(app_id), key_id, now).catch((error: unknown) => {
      context.log.warn({ error, key_id }, 'last_used_at of a key could not be written');
    });
  }

  return {
    async authenticate(authorization, network = '') {
      const key = readBearer(authorization);
      if (key === null || parseApiKey(key) === null) throw new ServiceError('unauthorized');
      const hash = hashApiKey(key);
      const cached = cache.get(hash);
      if (cached !== undefined && monotonicClock.now() - cached.read_at < LIMITS.key_cache_ms) {
        noteUse(cached);
        return cached;
      }
      const store =
        cached === undefined ? stores.unknownKeys(network) : stores.knownKeys(cached.caller.app_id);
      const read = await readOnce(hash, store);
      noteUse(read);
      return read;
    },
  };
}

function storesOf(context: Context): KeyStores {
  const same = () => context.store;
  return { knownKeys: same, unknownKeys: same, ofApp: same };
}

function readBearer(authorization: string | null): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

async function readCredentials(store: Store, hash: string): Promise<Cached | null> {
  const read_at = monotonicClock.now();
  const key = await findApiKeyByHash(store, hash);
  if (key === null) return null;
  const app = await getApp(store, key.app_id);
  const account = await findAccount(store, app.account_id);
  const caller = {
    app_id: app.id,
    account_id: app.account_id,
    key_id: key.id,
    mode: key.mode,
    idempotency: null,
  };
  return { caller, suspended: account?.suspended ?? true, read_at, last_used_at: key.last_used_at };
}
