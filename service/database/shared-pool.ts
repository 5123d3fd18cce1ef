import type { PostgresPool } from 'kysely';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Turns } from '../../shared/adapters/turns.ts';
import type { Slot } from '../../shared/core/fairness/fair-slots.ts';
import { openPostgres } from '../../shared/store/postgres.ts';
import type { Store } from '../../shared/store/store.ts';

const STORES_MAX = 1_000;

/** A pool, and the turns that decide which party gets a connection next. */
export interface PoolShares {
  pool: pg.Pool;
  /** The turns have at most as many slots as the pool has connections, so that a party with a slot never waits for the pool. */
  turns: Turns;
}

/**
 * Shares the connections of a pool among parties. Each query or transaction of a party waits for its turn.
 * @param onQueryError called with the error of each failed query.
 * @param spare another pool, from which a party takes a connection first if one is free.
 * @returns a function that returns the store of a party.
 */
export function sharedPool(
  shares: PoolShares,
  onQueryError: (error: unknown) => void,
  spare: PoolShares | null = null,
): (partyName: string) => Store {
  const stores = new LRUCache<string, Store>({ max: STORES_MAX });
  return (partyName) => {
    const known = stores.get(partyName);
    if (known !== undefined) return known;
    const store = openPostgres(poolOfParty(shares, spare, partyName), onQueryError);
    stores.set(partyName, store);
    return store;
  };
}

/** Returns a pool whose `connect` first waits for the party's turn. */
function poolOfParty(shares: PoolShares, spare: PoolShares | null, partyName: string): PostgresPool {
  return {
    options: shares.pool.options,
    end: () => shares.pool.end(),
    async connect() {
      const spareSlot = spare?.turns.takeIfFree(partyName) ?? null;
      if (spare !== null && spareSlot !== null) return connectWith(spare, spareSlot);
      return connectWith(shares, await shares.turns.take(partyName));
    },
  };
}

/** Gets a connection. Releasing the connection releases the slot too. */
async function connectWith({ pool, turns }: PoolShares, slot: Slot): Promise<pg.PoolClient> {
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
}
