import { sql } from 'kysely';
import type { Instant } from '../core/instant.ts';
import { ONE } from './row-values.ts';
import type { Store } from './store.ts';

/** A hostname held for review: an exact name, or `*.name` for all below it (`docs/domains.md`). */
export interface Hold {
  hostname: string;
  reason: string | null;
  created_at: Instant;
}

/**
 * Makes holds and new domains wait for each other: without it a hold would not see a domain that is being created, nor the domain
 * the hold. Creates share it among themselves; plain reads never wait.
 */
export async function lockHolds(store: Store, who: 'create' | 'hold'): Promise<void> {
  if (!store.flags.row_locks) return;
  await sql`lock table holds in ${sql.raw(who === 'hold' ? 'exclusive' : 'row share')} mode`.execute(
    store.db,
  );
}

/** @returns false where this hold is there already. */
export async function insertHold(store: Store, hold: Hold): Promise<boolean> {
  const result = await store.db
    .insertInto('holds')
    .values(hold)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** @returns false where there is no such hold. */
export async function deleteHold(store: Store, hostname: string): Promise<boolean> {
  const result = await store.db.deleteFrom('holds').where('hostname', '=', hostname).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** The hold that covers a hostname: its own, or one of a name above it. */
export async function findHold(store: Store, hostname: string): Promise<Hold | null> {
  const labels = hostname.split('.');
  const covering = [hostname, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
  const row = await store.db
    .selectFrom('holds')
    .selectAll()
    .where('hostname', 'in', covering)
    .orderBy('hostname', 'desc')
    .limit(ONE)
    .executeTakeFirst();
  return row ?? null;
}

export async function listHolds(store: Store): Promise<Hold[]> {
  return store.db.selectFrom('holds').selectAll().orderBy('hostname').execute();
}
