import { sql } from 'kysely';
import { inTransaction, type Store, type Tx } from './store.ts';

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
