import type { PostgresPool } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Turns } from '../shared/ports/turns.ts';
import { openPostgres } from '../shared/store/postgres.ts';
import type { Store } from '../shared/store/store.ts';

const STORES_MAX = 1_000;

/**
 * Shares out the connections of a pool among parties. @returns the store of a party, in which each query or transaction waits for a turn.
 * @param turns has at most as many slots as the pool has connections, so that the pool itself never delays a caller.
 * @param onQueryError called with the error of each failed query.
 */
export function sharedPool(
  pool: pg.Pool,
  turns: Turns,
  onQueryError: (error: unknown) => void,
): (partyName: string) => Store {
  const stores = new LRUCache<string, Store>({ max: STORES_MAX });
  return (partyName) => {
    const known = stores.get(partyName);
    if (known !== undefined) return known;
    const store = openPostgres(poolOfParty(pool, turns, partyName), onQueryError);
    stores.set(partyName, store);
    return store;
  };
}

/** Leaves the pool open: its owner ends it, and a party's store must not. */
function poolOfParty(pool: pg.Pool, turns: Turns, partyName: string): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const slot = await turns.take(partyName);
      try {
        const client = await pool.connect();
        const { release } = client;
        client.release = (broken) => {
          release.call(client, broken);
          turns.give(slot);
        };
        return client;
      } catch (error) {
        turns.give(slot);
        throw error;
      }
    },
  };
}
