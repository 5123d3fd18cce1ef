import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely';

/** Any number, the same in every version: one process migrates at a time. */
const MIGRATION_LOCK = 4_500_450_145;

/** Held until the transaction ends: whoever waits for it sees what was done. */
export async function holdMigrationLock(db: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
}

/** Kysely's own lock is the session's: it would end before the commit, and outlive a failure where a pooler keeps the session. */
export class TransactionLockAdapter extends PostgresAdapter {
  override acquireMigrationLock(db: QueryExecutorProvider): Promise<void> {
    return holdMigrationLock(db);
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction does.
  }
}
