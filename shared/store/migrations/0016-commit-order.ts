import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds the transaction that wrote an event or a route change, so that they can be read in the order of commits. */
export function commitOrder({ commits }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const statements = [
        ...commits.columns('events'),
        ...commits.columns('route_changes'),
        'create index events_committed on events (app_id, mode, xid)',
        'create index route_changes_committed on route_changes (xid)',
      ];
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
