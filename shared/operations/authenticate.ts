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
   * @param network of the caller: networks share the lookups of keys that this node does not know.
   * @throws ServiceError `unauthorized` for a missing, malformed, unknown or revoked key (section 5.2).
   */
  authenticate(authorization: string | null, network?: string): Promise<Credentials>;
}

/** Stores over connections that are reserved for reading keys, so that made-up keys delay no app. */
export interface KeyStores {
  /** For keys that this node has seen before. */
  knownKeys(app_id: AppId): Store;
  unknownKeys(network: string): Store;
  /** For writing the time of a key's last use. */
  ofApp(app_id: AppId): Store;
}

/**
 * Authentication by API key. A key is cached for 2 s at the most and dropped at once on a notice, so that a revoked one stops
 * within 5 s even where the notice is lost (`docs/idempotency-and-rates.md`).
 */
export function createAuthenticator(context: Context, stores: KeyStores = storesOf(context)): Authenticator {
  const cache = new LRUCache<string, Cached>({ max: CACHED_MAX });
  /** Reads that began after the latest notice, by hash. */
  const reads = new Map<string, Promise<Cached>>();
  let generation = 0;
  context.notices.subscribe((notice) => {
    if (notice.kind !== 'credentials' && notice.kind !== 'gap') return;
    generation += 1;
    // A read that began before the notice may miss the change.
    reads.clear();
    // The key is read again before it counts, but it keeps its place among the known keys.
    for (const cached of cache.values())
      if (notice.kind === 'gap' || cached.caller.app_id === notice.app_id)
        cached.read_at = Number.NEGATIVE_INFINITY;
  });

  /** Shares one read among all simultaneous requests with one key. */
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
        // A key that was revoked during its read must not be kept.
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
    // Not awaited, so that the write does not delay the request (section 2.3).
    touchApiKey(stores.ofApp(app_id), key_id, now).catch((error: unknown) => {
      context.log.warn({ error, key_id }, 'could not write last_used_at of a key');
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
