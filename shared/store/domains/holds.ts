import { sql } from 'kysely';
import { coveringHolds } from '../../core/domains/hostname.ts';
import type { Instant } from '../../core/instant.ts';
import { ONE } from '../row-values.ts';
import type { Store } from '../store.ts';

/** A hostname held for review: an exact name, or `*.name` for all below it (`docs/domains.md`). */
export interface Hold {
  hostname: string;
  reason: string | null;
  created_at: Instant;
}

/** Before a hold is placed: waits for everybody who has asked `findHoldUntilCommit` and not committed yet. Plain reads never wait. */
export async function lockHolds(store: Store): Promise<void> {
  if (store.flags.row_locks) await sql`lock table holds in exclusive mode`.execute(store.db);
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
  return (await selectCovering(store, hostname).executeTakeFirst()) ?? null;
}

/**
 * The same for who acts on the answer: no hold is placed before the transaction ends, so that none misses a domain that is being created.
 * A row lock, even of no row, takes a lock of the table (`row share`) that its takers share among themselves and `lockHolds` waits for.
 */
export async function findHoldUntilCommit(store: Store, hostname: string): Promise<Hold | null> {
  const query = selectCovering(store, hostname);
  return (await (store.flags.row_locks ? query.forKeyShare() : query).executeTakeFirst()) ?? null;
}

function selectCovering(store: Store, hostname: string) {
  return store.db
    .selectFrom('holds')
    .selectAll()
    .where('hostname', 'in', coveringHolds(hostname))
    .orderBy('hostname', 'desc')
    .limit(ONE);
}

/** Of these names, `*.name` among them, those that are holds themselves. */
export async function findHoldNames(store: Store, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await store.db.selectFrom('holds').select('hostname').where('hostname', 'in', names).execute();
  return new Set(rows.map(({ hostname }) => hostname));
}

export async function listHolds(store: Store): Promise<Hold[]> {
  return store.db.selectFrom('holds').selectAll().orderBy('hostname').execute();
}
