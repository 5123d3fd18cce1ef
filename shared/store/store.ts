import { isAbortedTransactionError, type Kysely, sql } from 'kysely';
import type { CommitOrder } from './commit-order.ts';
import { runTogether, type Statement, startTogether } from './run-together.ts';
import type { Tables } from './tables.ts';

/**
 * The differences between Postgres and SQLite. Each database has one such object, and no other code in the store depends on which database
 * it uses.
 */
export interface DialectFlags {
  /** True if `FOR UPDATE` and `SKIP LOCKED` exist. SQLite has a single writer instead. */
  rowLocks: boolean;
  /** The SQL type of a text column that sorts and compares by bytes. */
  textType: string;
  /** True if `json_to_recordset` reads JSON as rows. SQLite has `json_each` instead. */
  jsonRecords: boolean;
  /** True if a subquery after `lateral` may use the columns of the tables before it. */
  lateral: boolean;
  /** True if a failed statement prevents its transaction from committing. */
  failsWhole: boolean;
  /** The SQL by which rows are read in the order of commits. */
  commits: CommitOrder;
}

/** The column types that differ between the two databases. */
export const COLUMN_TYPES = {
  postgres: { textType: 'text collate "C"' },
  sqlite: { textType: 'text' },
} as const;

/** The connection to the database. All functions in this folder take a `Store` or a `Tx` as their first parameter. */
export interface Store {
  /** Reads only. To write, begin a transaction. */
  db: Omit<
    Kysely<Tables>,
    'with' | 'withRecursive' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'mergeInto' | 'replaceInto'
  >;
  flags: DialectFlags;
  /** The queued statements that are sent with COMMIT (`runWithCommit`). Undefined outside a transaction. */
  last?: Statement[];
}

/** A store that can write: the store of a transaction (`inTransaction`), or one whose statements commit by themselves (`autocommit`). */
export interface Tx extends Store {
  db: Kysely<Tables>;
}

/**
 * Returns a store whose statements commit one by one, or the transaction if one is open. Call it for a change of one statement, or for
 * statements that need not commit together.
 */
export function autocommit(store: Store): Tx {
  return store as Tx;
}

/** Returns whether the statements of a store run in a transaction, so that row locks last until it ends. */
export function isTransaction(store: Store): store is Tx {
  return store.last !== undefined;
}

/**
 * The SQLSTATE codes of a serialization failure and a deadlock. The server rolled back one of two transactions so that the other could
 * complete, so the transaction can run again.
 */
const AGAIN = new Set(['40001', '40P01']);
const TRIES_MAX = 5;

/** Thrown if another transaction has changed rows since this transaction read them. This transaction is then rolled back and runs again. */
export class ConcurrentChange extends Error {
  override name = 'ConcurrentChange';
  readonly code = '40001';
}

/**
 * Runs `work` in one transaction, or within the transaction that is already open.
 * @param work runs again from the start after a serialization failure, a deadlock or a `ConcurrentChange`, so it must have no effects outside the database.
 */
export async function inTransaction<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isTransaction(store)) return work(store);
  for (let tries = 1; ; tries++) {
    try {
      return await tryTransaction(store, work);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!AGAIN.has(code) || tries === TRIES_MAX) throw error;
    }
  }
}

/**
 * Queues statements that are sent together with the COMMIT of the transaction, after all its other statements. So the rows that they change
 * stay locked only while the database commits. If such a row has changed since the transaction read it without a lock, a statement may
 * break a constraint. The transaction then runs again.
 */
export function runWithCommit(tx: Tx, ...statements: readonly Statement[]): void {
  if (tx.last === undefined)
    throw new TypeError('runWithCommit needs a transaction; call it within inTransaction');
  tx.last.push(...statements);
}

/** Sends, before the COMMIT, the statements that `runWithCommit` queued. Call this if the transaction has to read what they write. */
export async function runBeforeCommit(tx: Tx): Promise<void> {
  await runTogether(tx, ...(tx.last?.splice(0) ?? []));
}

async function tryTransaction<T>(store: Store, work: (tx: Tx) => Promise<T>): Promise<T> {
  let done: Promise<unknown> = Promise.resolve();
  try {
    return await store.db.transaction().execute(async (db) => {
      const last: Statement[] = [];
      const tx: Tx = { db, flags: store.flags, last };
      const result = await work(tx);
      if (last.length === 0) return result;
      const sent = await startTogether(tx, last);
      done = sent.done.catch((error: unknown) => {
        throw breaksConstraint(error)
          ? new ConcurrentChange('another request changed the same rows first; try again', { cause: error })
          : error;
      });
      if (store.flags.failsWhole) done.catch(() => undefined);
      else await done;
      return result;
    });
  } catch (error) {
    // If one of the queued statements failed, COMMIT rolls back with an error that does not contain the cause. Waiting for `done` throws
    // the cause.
    if (isAbortedTransactionError(error)) await done;
    throw error;
  }
}

/** Returns whether a statement broke a constraint: SQLSTATE class 23, or SQLite's result code 19 with any extension. */
function breaksConstraint(error: unknown): boolean {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  return String(code).startsWith('23') || (Number(errcode) & 0xff) === SQLITE_CONSTRAINT;
}

const SQLITE_CONSTRAINT = 19;

export async function closeStore(store: Store): Promise<void> {
  await store.db.destroy();
}

/**
 * Runs `work` in a transaction whose queries Postgres cancels after `timeoutMs` each. The limit ends with the transaction, so a connection
 * pooler does not apply it to other clients.
 */
export function withinTime<T>(store: Store, timeoutMs: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store, async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(tx.db);
    return work(tx);
  });
}
