import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Leaves space in the pages of `dns_checks`, so that writing the time of a check changes no index. */
export function checkTimes({ rowLocks }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // SQLite has no fill factor.
      if (rowLocks) await sql`alter table dns_checks set (fillfactor = 80)`.execute(db);
    },
  };
}
