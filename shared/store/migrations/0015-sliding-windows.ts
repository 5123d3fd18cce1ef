import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the times of the uses that a rate window counts, and the number of test domains of an account. */
export function slidingWindows({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('rate_windows').addColumn('uses', sql.raw(textType)).execute();
      await db.schema
        .alterTable('domain_counts')
        .addColumn('tests', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await sql`
        insert into domain_counts (account_id, used, added, tests)
        select apps.account_id, 0, 0, count(*) from domains join apps on apps.id = domains.app_id
        where domains.mode = 'test' and domains.status <> 'deleted' group by apps.account_id
        on conflict (account_id) do update set tests = excluded.tests`.execute(db);
    },
  };
}
