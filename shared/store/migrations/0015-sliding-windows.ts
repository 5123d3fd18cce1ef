import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the times of the uses that a rate window counts. */
export function slidingWindows({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('rate_windows').addColumn('uses', sql.raw(textType)).execute();
    },
  };
}
