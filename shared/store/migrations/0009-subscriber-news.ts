import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the language of the mails to a subscriber, and what the subscriber has been told. */
export function subscriberNews({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const table = db.schema.alterTable('mail_subscriptions');
      await table
        .addColumn('language', sql.raw(textType), (column) => column.notNull().defaultTo('en'))
        .execute();
      await table.addColumn('told', sql.raw(textType)).execute();
      await table.addColumn('broken_at', 'bigint').execute();
    },
  };
}
