import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds an index of the orders that occupy places at an authority, and walks deleted domains in the order of their last change. */
export function openOrders(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql`
        create index certificate_orders_open on certificate_orders (ca, progressed_at) where ca is not null`.execute(
        db,
      );
      await sql`drop index domains_deleted`.execute(db);
      await sql`create index domains_deleted on domains (updated_at, id) where status = 'deleted'`.execute(
        db,
      );
    },
  };
}
