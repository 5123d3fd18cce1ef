import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely';

/** The key of the lock: an arbitrary number that all versions share, so that only one process migrates at a time. */
const MIGRATION_LOCK = 4_500_450_145;

/**
 * Takes a lock until the transaction ends. A process that waited for the lock then sees the finished migrations. The transaction waits for
 * any further lock at most 2 seconds.
 */
export async function holdMigrationLock(db: QueryExecutorProvider): Promise<void> {
  await sql`set local lock_timeout = 0`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
  await sql`set local lock_timeout = '2s'`.execute(db);
}

/**
 * Locks for the transaction instead of the session, as Kysely's own lock does. A session's lock would be released before the commit. If a
 * pooler keeps the session, it would also outlast a failure.
 */
export class TransactionLockAdapter extends PostgresAdapter {
  override acquireMigrationLock(db: QueryExecutorProvider): Promise<void> {
    return holdMigrationLock(db);
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction releases the lock.
  }
}
