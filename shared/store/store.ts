import { isAbortedTransactionError, type Kysely, sql } from 'kysely';
import type { CommitOrder } from './commit-order.ts';
import { runTogether, type Statement, startTogether } from './run-together.ts';
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
  /** True if a failed statement prevents its transaction from committing. */
  failsWhole: boolean;
  /** How rows are read in the order of commits. */
  commits: CommitOrder;
}

/** How each database declares the columns whose types differ. */
export const COLUMN_TYPES = {
  postgres: { textType: 'text collate "C"', serialType: 'bigserial' },
  sqlite: { textType: 'text', serialType: 'integer' },
} as const;

/** The repository. Its functions are in the files next to this one, and their first parameter is a Store or a Tx. */
export interface Store {
  /** Reads only. To write, begin a transaction. */
  db: Omit<
    Kysely<Tables>,
    'with' | 'withRecursive' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'mergeInto' | 'replaceInto'
  >;
  flags: DialectFlags;
  /** The statements to send with COMMIT (`runWithCommit`). Undefined outside a transaction. */
  last?: Statement[];
}

/** A store that can write: the store of a transaction (`inTransaction`), or one whose statements commit by themselves (`autocommit`). */
export interface Tx extends Store {
  db: Kysely<Tables>;
}

/**
 * Lets statements write outside a transaction, where each commits by itself. Call it for a change of one statement, or for statements that do
 * not belong together. Within a transaction, it returns the transaction.
 */
export function autocommit(store: Store): Tx {
  return store as Tx;
}

/** Returns whether the statements of a store run in a transaction, so that row locks last until it ends. */
export function isTransaction(store: Store): store is Tx {
  return store.last !== undefined;
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
 * Queues statements that are sent together with the COMMIT of the transaction, after all its other statements. So their rows stay locked only
 * while the database commits. The statements check facts that the transaction has read without a lock. If a fact has changed, a statement
 * breaks a constraint, and the transaction runs again.
 */
export function runWithCommit(tx: Tx, ...statements: readonly Statement[]): void {
  if (tx.last === undefined)
    throw new TypeError('runWithCommit needs a transaction; call it within inTransaction');
  tx.last.push(...statements);
}

/** Sends the queued statements of `runWithCommit` now. Call it if the transaction has to read what they write. */
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
    // If one of the last statements failed, COMMIT rolls back, and its error does not contain the cause. `done` does.
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
 * Runs `work` in a transaction whose queries Postgres cancels after `timeoutMs` each. The limit ends with the transaction, so a pooler does
 * not apply it to other clients.
 */
export function withinTime<T>(store: Store, timeoutMs: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(store, async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(timeoutMs)}`.execute(tx.db);
    return work(tx);
  });
}
