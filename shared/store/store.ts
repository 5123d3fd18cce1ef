import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Where the two databases differ, by name: nothing else in the store asks which one it is. */
export interface DialectFlags {
  /** `FOR UPDATE` and `SKIP LOCKED` exist. SQLite has one writer instead. */
  row_locks: boolean;
  /** How a text column must be declared so that it sorts and compares by bytes. */
  text_type: string;
}

/** The one repository: its functions stand in the files beside this one and take a Store first. */
export interface Store {
  db: Kysely<Tables>;
  flags: DialectFlags;
  /** True for the store that `inTransaction` hands out. */
  in_transaction: boolean;
}

/** Everything or nothing: runs `work` in one transaction, or within the one that is open already. */
export async function inTransaction<T>(store: Store, work: (tx: Store) => Promise<T>): Promise<T> {
  if (store.in_transaction) return work(store);
  return store.db.transaction().execute((db) => work({ db, flags: store.flags, in_transaction: true }));
}

export async function closeStore(store: Store): Promise<void> {
  await store.db.destroy();
}
