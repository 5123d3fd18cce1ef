import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the appearance of an app on its customers' connect pages. */
export function brand({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const column of ['brand_color', 'brand_logo', 'support_url', 'return_url']) {
        await db.schema.alterTable('apps').addColumn(column, sql.raw(textType)).execute();
      }
    },
  };
}
