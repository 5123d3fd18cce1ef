import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely';

/** An arbitrary number that all versions share. Only one process migrates at a time. */
const MIGRATION_LOCK = 4_500_450_145;

/** Takes a lock until the transaction ends, so that a process that waits for it sees what was done. */
export async function holdMigrationLock(db: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
}

/** Kysely's own lock belongs to the session: it would end before the commit, and outlive a failure if a pooler keeps the session. */
export class TransactionLockAdapter extends PostgresAdapter {
  override acquireMigrationLock(db: QueryExecutorProvider): Promise<void> {
    return holdMigrationLock(db);
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction releases it.
  }
}
