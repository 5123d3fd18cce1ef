import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Where the two databases differ, by name: nothing else in the store asks which one it is. */
export interface DialectFlags {
  /** `FOR UPDATE` and `SKIP LOCKED` exist. SQLite has one writer instead. */
  row_locks: boolean;
  /** How a text column must be declared so that it sorts and compares by bytes. */
  text_type: string;
  /** How a key that counts up by itself must be declared. */
  serial_type: string;
  /** `json_to_recordset` reads JSON as rows. SQLite has `json_each`. */
  json_records: boolean;
}

/** The one repository: its functions stand in the files beside this one and take a Store first. */
export interface Store {
  db: Kysely<Tables>;
  flags: DialectFlags;
  /** True for the store that `inTransaction` hands out. */
  in_transaction: boolean;
}

/** Serialisation failure and deadlock (SQLSTATE 40001, 40P01): the server undid one of two transactions so that both can go on. */
const AGAIN = new Set(['40001', '40P01']);
const TRIES_MAX = 5;

/**
 * Everything or nothing: runs `work` in one transaction, or within the one that is open already.
 * @param work runs again from the start where the server undid it for another's sake, so all it does must be in the database.
 */
export async function inTransaction<T>(store: Store, work: (tx: Store) => Promise<T>): Promise<T> {
  if (store.in_transaction) return work(store);
  for (let tries = 1; ; tries++) {
    try {
      return await store.db
        .transaction()
        .execute((db) => work({ db, flags: store.flags, in_transaction: true }));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!AGAIN.has(code) || tries === TRIES_MAX) throw error;
    }
  }
}

export async function closeStore(store: Store): Promise<void> {
  await store.db.destroy();
}
