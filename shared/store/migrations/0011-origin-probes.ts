import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewTable } from './new-table.ts';

/** Adds the latest probes of each app's origin. A probe overwrites the oldest one of its app. */
export function originProbes(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
    },
  };
}

const TABLES: readonly NewTable[] = [
  [
    'origin_probes',
    ['app_id', 'slot'],
    [
      ['app_id', 'id'],
      ['slot', 'int'],
      ['at', 'instant'],
      ['status_code', 'int', 'null'],
      ['latency_ms', 'int', 'null'],
      ['reason', 'text', 'null'],
    ],
  ],
];
