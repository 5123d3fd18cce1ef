import type { Kysely } from 'kysely';
import type { CommitOrder } from './commit-order.ts';
import type { Tables } from './tables.ts';

/** The differences between the two databases, one object for each. No other code in the store asks which database it uses. */
export interface DialectFlags {
  /** True if `FOR UPDATE` and `SKIP LOCKED` exist. SQLite has a single writer instead. */
  rowLocks: boolean;
  /** How a text column must be declared so that it sorts and compares by bytes. */
  textType: string;
  /** How a key that increments automatically must be declared. */
  serialType: string;
  /** True if `json_to_recordset` reads JSON as rows. SQLite has `json_each` instead. */
  jsonRecords: boolean;
  /** True if a subquery after `lateral` may use the columns of the tables before it. */
  lateral: boolean;
  /** How rows are read in the order of commits. */
  commits: CommitOrder;
}

/** The repository. Its functions are in the files next to this one, and their first parameter is a Store. */
export interface Store {
  db: Kysely<Tables>;
  flags: DialectFlags;
  /** True for the store that `inTransaction` passes to its callback. */
  inTransaction: boolean;
}

/**
 * Serialization failure and deadlock (SQLSTATE 40001, 40P01). The server rolled back one of two transactions so that the other could
 * complete.
 */
const AGAIN = new Set(['40001', '40P01']);
const TRIES_MAX = 5;

/** Thrown if a concurrent transaction has outdated what this one read. This one is then rolled back and runs again. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange';
  readonly code = '40001';
}

/**
 * Runs `work` in one transaction, or within the transaction that is already open.
 * @param work runs again from the start after a serialization failure, a deadlock or a `ConcurrentChange`, so it must have no effects outside the database.
 */
export async function inTransaction<T>(store: Store, work: (tx: Store) => Promise<T>): Promise<T> {
  if (store.inTransaction) return work(store);
  for (let tries = 1; ; tries++) {
    try {
      return await store.db
        .transaction()
        .execute((db) => work({ db, flags: store.flags, inTransaction: true }));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!AGAIN.has(code) || tries === TRIES_MAX) throw error;
    }
  }
}

export async function closeStore(store: Store): Promise<void> {
  await store.db.destroy();
}
