import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewTable } from './new-table.ts';

/** Adds the certificates of deleted domains that are to be revoked. They have no key. */
export function revocations(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
    },
  };
}

const TABLES: readonly NewTable[] = [
  [
    'revocations',
    ['id'],
    [
      ['id', 'id'],
      ['ca', 'text'],
      ['chain', 'text'],
      ['not_after', 'instant'],
    ],
  ],
];
