import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { NUMBERS, SNAPSHOTS } from '../commit-order.ts';
import { COLUMN_TYPES, type DialectFlags } from '../store.ts';
import { accountsSchema } from './initial/accounts.ts';
import { certificatesSchema } from './initial/certificates.ts';
import { domainsSchema } from './initial/domains.ts';
import { eventsSchema } from './initial/events.ts';
import { queuesSchema } from './initial/queues.ts';

/** The members of `DialectFlags` on which the schema depends. */
export type SchemaFlags = Pick<DialectFlags, 'textType' | 'rowLocks' | 'commits'>;

/** Creates the first schema: every table of `shared/store/tables.ts`. */
export function initial(flags: SchemaFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements(flags)) await sql.raw(statement).execute(db);
    },
  };
}

function statements(flags: SchemaFlags): string[] {
  return [accountsSchema, domainsSchema, certificatesSchema, eventsSchema, queuesSchema].flatMap((schema) =>
    schema(flags),
  );
}

const both = [
  statements({ ...COLUMN_TYPES.postgres, rowLocks: true, commits: SNAPSHOTS }),
  statements({ ...COLUMN_TYPES.sqlite, rowLocks: false, commits: NUMBERS }),
];
const fingerprint = createHash('sha256').update(JSON.stringify(both)).digest('hex').slice(0, 8);

/**
 * The name of the first migration. It contains a fingerprint of the migration's statements, which differs between previews with different
 * schemas.
 */
export const INITIAL_NAME = `0001-initial-${fingerprint}`;
