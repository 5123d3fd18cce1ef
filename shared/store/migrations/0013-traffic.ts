import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewColumn, NewTable } from './new-table.ts';

/** Adds the traffic of domains and apps by hour and by day, and the processes that count it. */
export function traffic(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
      for (const index of INDEXES) await sql.raw(index).execute(db);
    },
  };
}

const COUNTS = [
  'requests',
  'bytes_in',
  'bytes_out',
  'status_1xx',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'aborted',
  'origin_errors',
  'within_5_ms',
  'within_10_ms',
  'within_25_ms',
  'within_50_ms',
  'within_100_ms',
  'within_250_ms',
  'within_500_ms',
  'within_1000_ms',
  'within_2500_ms',
  'within_5000_ms',
  'within_10000_ms',
  'slower',
];

const TABLES: readonly NewTable[] = [
  [
    'traffic',
    ['subject_id', 'mode', 'interval', 'start'],
    [
      ['subject_id', 'id'],
      ['mode', 'text'],
      ['interval', 'text'],
      ['start', 'instant'],
      ['app_id', 'id'],
      // A day of a busy domain has more than 2^31 bytes, so counts have the width of instants.
      ...COUNTS.map((name): NewColumn => [name, 'instant']),
    ],
  ],
  [
    'traffic_writers',
    ['id'],
    [
      ['id', 'text'],
      ['last_batch', 'instant'],
      ['written_at', 'instant'],
    ],
  ],
];

const INDEXES = [
  'create index traffic_by_app on traffic (app_id, mode, "interval", start) where subject_id <> app_id',
  'create index traffic_age on traffic ("interval", start)',
];
