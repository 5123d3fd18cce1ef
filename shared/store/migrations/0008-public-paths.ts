import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds whether an app's domains may be active behind a proxy, and what the last probe of a domain's public path found. */
export function publicPaths({ textType }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('apps')
        .addColumn('allow_proxied', 'integer', (column) => column.notNull().defaultTo(1))
        .execute();
      await db.schema.alterTable('dns_checks').addColumn('path', sql.raw(textType)).execute();
    },
  };
}
