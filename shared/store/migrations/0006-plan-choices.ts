import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the choice of a plan whose outcome is not known yet. */
export function planChoices({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const table = db.schema.alterTable('billing_accounts');
      await table.addColumn('choice_id', sql.raw(textType)).execute();
      await table.addColumn('choice_began_at', 'bigint').execute();
    },
  };
}
