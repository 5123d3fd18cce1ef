import { LRUCache } from 'lru-cache';
import { hashApiKey, parseApiKey } from '../../core/apps/api-key.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Clock } from '../../ports/system.ts';
import { findKeyOwner, touchApiKey } from '../../store/accounts/api-keys.ts';
import { autocommit, type Store } from '../../store/store.ts';
import type { Caller, Context } from '../context.ts';

export interface Credentials {
  caller: Caller;
  /** True while the account is suspended. The API then refuses every change (`docs/api.md#authentication`). */
  suspended: boolean;
}

interface Cached extends Credentials {
  /** When the query that read the key started. The data is at least that recent. */
  readAt: number;
  last_used_at: number | null;
}

interface Read {
  credentials: Promise<Cached>;
  /** Whether the read is too old to serve a request that starts now. False while the read waits for a connection. */
  isTooOld(): boolean;
}

const CACHED_MAX = 10_000;

export interface Authenticator {
  /**
   * @param network the caller's network. All lookups of unknown keys from one network share a connection.
   * @throws ServiceError `unauthorized` for a missing, malformed, unknown or revoked key (`docs/api.md#authentication`).
   */
  authenticate(authorization: string | null, network?: string): Promise<Credentials>;
}

/**
 * The stores that keys are read from. Lookups of made-up keys use separate connections, so that they cannot slow down the requests of
 * accounts.
 */
export interface KeyStores {
  /** Returns the store for keys that this node has read before. The reads of one account must not wait for the reads of another account. */
  knownKeys(accountId: AccountId): Store;
  unknownKeys(network: string): Store;
  /** Returns the store in which to write the time of a key's last use. */
  ofAccount(accountId: AccountId): Store;
}

/**
 * Returns an authenticator for API keys. It caches a key for at most 2 s, and reads the key again after a notice that the key changed. So a
 * revoked key stops working within 5 s even if the notice is lost (`docs/idempotency-and-rates.md`).
 * @param ageClock a monotonic clock, which measures the age of cached keys.
 */
export function createAuthenticator(
  context: Context,
  ageClock: Clock,
  stores: KeyStores = storesOf(context),
): Authenticator {
  const cache = new LRUCache<string, Cached>({ max: CACHED_MAX });
  /** Running reads that started after the latest notice, by key hash. */
  const reads = new Map<string, Read>();
  let generation = 0;
  context.notices.subscribe((notice) => {
    if (notice.kind !== 'credentials' && notice.kind !== 'gap') return;
    generation += 1;
    // A read that started before the notice may miss the change.
    reads.clear();
    // Marks the entries as stale instead of deleting them, so that the next request still uses the connection for known keys.
    for (const cached of cache.values())
      if (notice.kind === 'gap' || cached.caller.app_id === notice.app_id)
        cached.readAt = Number.NEGATIVE_INFINITY;
  });

  /** Reads a key once for all simultaneous requests with this key. Starts a new read if the running read began too long ago. */
  function readOnce(hash: string, store: Store): Promise<Cached> {
    const begun = reads.get(hash);
    if (begun !== undefined && !begun.isTooOld()) return begun.credentials;
    const before = generation;
    let startedAt: number | null = null;
    const onStart = (at: number) => {
      startedAt = at;
    };
    const credentials = readCredentials(store, hash, ageClock, onStart)
      .then((cached) => {
        if (cached === null) {
          cache.delete(hash);
          throw new ServiceError('unauthorized');
        }
        // If a notice arrived during the read, the key may have been revoked, so the result is not cached.
        if (before === generation) cache.set(hash, cached);
        return cached;
      })
      .finally(() => {
        if (reads.get(hash)?.credentials === credentials) reads.delete(hash);
      });
    reads.set(hash, { credentials, isTooOld: () => startedAt !== null && !isFresh(startedAt) });
    return credentials;
  }

  function isFresh(readAt: number): boolean {
    return ageClock.now() - readAt < LIMITS.key_cache_ms;
  }

  function recordUse(cached: Cached): void {
    const now = context.clock.now();
    if (cached.last_used_at !== null && now - cached.last_used_at < LIMITS.last_used_every_ms) return;
    cached.last_used_at = now;
    const { key_id, account_id } = cached.caller;
    // The write is not awaited, so that it does not delay the request (`docs/api.md#api-key`).
    touchApiKey(autocommit(stores.ofAccount(account_id)), key_id, now).catch((error: unknown) => {
      context.log.warn({ error, key_id }, 'could not write last_used_at of a key');
    });
  }

  return {
    async authenticate(authorization, network = '') {
      const key = readBearer(authorization);
      if (key === null || parseApiKey(key) === null) throw new ServiceError('unauthorized');
      const hash = hashApiKey(key);
      const cached = cache.get(hash);
      if (cached !== undefined && isFresh(cached.readAt)) {
        recordUse(cached);
        return cached;
      }
      const store =
        cached === undefined ? stores.unknownKeys(network) : stores.knownKeys(cached.caller.account_id);
      const read = await readOnce(hash, store);
      recordUse(read);
      return read;
    },
  };
}

function storesOf(context: Context): KeyStores {
  const same = () => context.store;
  return { knownKeys: same, unknownKeys: same, ofAccount: same };
}

function readBearer(authorization: string | null): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/**
 * @param onStart called when the read gets its connection. The age of the result is measured from then, not from when the read began to
 * wait for the connection.
 */
function readCredentials(
  store: Store,
  hash: string,
  ageClock: Clock,
  onStart: (startedAt: number) => void,
): Promise<Cached | null> {
  return store.db.connection().execute(async (db) => {
    const startedAt = ageClock.now();
    onStart(startedAt);
    const found = await findKeyOwner({ ...store, db }, hash);
    if (found === null) return null;
    const { key, account_id, suspended } = found;
    const caller = { app_id: key.app_id, account_id, key_id: key.id, mode: key.mode, idempotency: null };
    return { caller, suspended, readAt: startedAt, last_used_at: key.last_used_at };
  });
}
