import { sql } from 'kysely';
import { coveringHolds } from '../../core/domains/hostname.ts';
import type { Instant } from '../../core/instant.ts';
import { ONE } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

/** A hold of a hostname for review: an exact name, or `*.name` for all names below it (`docs/domains.md`). */
export interface Hold {
  hostname: string;
  reason: string | null;
  created_at: Instant;
}

/**
 * Locks the table of holds before a hold is placed. Waits for every open transaction that has called `findHoldUntilCommit`. Plain reads
 * never wait for this lock.
 */
export async function lockHolds(store: Store): Promise<void> {
  if (store.flags.rowLocks) await sql`lock table holds in exclusive mode`.execute(store.db);
}

/** Inserts a hold. @returns false if the hold already exists. */
export async function insertHold(tx: Tx, hold: Hold): Promise<boolean> {
  const result = await tx.db
    .insertInto('holds')
    .values(hold)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Deletes a hold. @returns false if there is no such hold. */
export async function deleteHold(tx: Tx, hostname: string): Promise<boolean> {
  const result = await tx.db.deleteFrom('holds').where('hostname', '=', hostname).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Returns the hold that covers a hostname: a hold of the hostname itself, or of all names below one of its parents. */
export async function findHold(store: Store, hostname: string): Promise<Hold | null> {
  return (await selectCovering(store, hostname).executeTakeFirst()) ?? null;
}

/**
 * Returns the hold that covers a hostname, and blocks new holds until the transaction ends, so that no hold misses a domain that is being
 * created. The row lock also locks the table (`row share`), even if no row matches. Several transactions can lock the table in this way,
 * and `lockHolds` waits for all of them.
 */
export async function findHoldUntilCommit(store: Store, hostname: string): Promise<Hold | null> {
  return (await selectHoldUntilCommit(store, hostname).executeTakeFirst()) ?? null;
}

export function selectHoldUntilCommit(store: Store, hostname: string) {
  const query = selectCovering(store, hostname);
  return store.flags.rowLocks ? query.forKeyShare() : query;
}

function selectCovering(store: Store, hostname: string) {
  return store.db
    .selectFrom('holds')
    .selectAll()
    .where('hostname', 'in', coveringHolds(hostname))
    .orderBy('hostname', 'desc')
    .limit(ONE);
}

/** Returns the names for which a hold exists. A name may have the form `*.name`. */
export async function findHoldNames(store: Store, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await store.db.selectFrom('holds').select('hostname').where('hostname', 'in', names).execute();
  return new Set(rows.map(({ hostname }) => hostname));
}

export async function selectHolds(store: Store): Promise<Hold[]> {
  return store.db.selectFrom('holds').selectAll().orderBy('hostname').execute();
}
