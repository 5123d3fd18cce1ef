import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewTable } from './new-table.ts';

/** Adds the history of each domain's certificates. It holds no keys and no chains. */
export function certificateHistory(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
    },
  };
}

const TABLES: readonly NewTable[] = [
  [
    'certificate_history',
    ['domain_id', 'id'],
    [
      ['domain_id', 'id'],
      ['id', 'id'],
      ['issuer', 'text'],
      ['serial', 'text', 'null'],
      ['names', 'text'],
      ['not_before', 'instant'],
      ['not_after', 'instant'],
      ['served_from', 'instant'],
    ],
  ],
];
