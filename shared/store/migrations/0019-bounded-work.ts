import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds what keeps the work of a request independent of how much data an app has (`decisions/0091`). */
export function boundedWork(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const table of ['apps', 'events']) {
        await db.schema
          .alterTable(table)
          .addColumn('webhook_epoch', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
      }
    },
  };
}
