import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the receiver's response to each delivery. */
export function deliveryResponses({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const column of ['response_headers', 'response_body']) {
        await db.schema.alterTable('deliveries').addColumn(column, sql.raw(textType)).execute();
      }
    },
  };
}
