import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds `webhook_epoch`, `traffic.top` and an index of the age of events, so that work does not grow with an app's data (`decisions/0091`). */
export function boundedWork({ textType, jsonRecords }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('traffic').addColumn('top', sql.raw(textType)).execute();
      const list = sql.raw(
        jsonRecords
          ? 'json_agg(json_build_array(subject_id, requests))'
          : 'json_group_array(json_array(subject_id, requests))',
      );
      await sql`
        update traffic set top = (
          select ${list} from (
            select subject_id, requests from traffic counted
            where counted.app_id = traffic.app_id and counted.mode = traffic.mode and counted."interval" = traffic."interval"
              and counted.start = traffic.start and counted.subject_id <> counted.app_id
            order by requests desc, subject_id limit 100
          ) busiest
        ) where subject_id = app_id`.execute(db);
      await sql`drop index traffic_by_app`.execute(db);
      await sql`
        create index events_age on events ((case when last_attempt_at > created_at then last_attempt_at else created_at end))
        where delivery_status <> 'pending'`.execute(db);
      await sql`drop index events_ended`.execute(db);
      // Last, because each locks its table until the migration ends.
      for (const table of ['apps', 'events']) {
        await db.schema
          .alterTable(table)
          .addColumn('webhook_epoch', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
      }
    },
  };
}
