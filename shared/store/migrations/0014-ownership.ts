import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/**
 * Adds when another domain last went live at a domain's hostname, and the domain that the edge serves until a new holder of a hostname has
 * a certificate.
 */
export function ownership({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('domains').addColumn('retired_at', 'bigint').execute();
      await db.schema.alterTable('routes').addColumn('served_id', sql.raw(textType)).execute();
      await sql`create index routes_served on routes (served_id) where served_id is not null`.execute(db);
    },
  };
}
