import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewTable } from './new-table.ts';

/** Adds passkeys, and the sign-ins that a browser has begun and not finished. */
export function passkeys(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
      for (const statement of INDEXES) await sql.raw(statement).execute(db);
    },
  };
}

const TABLES: readonly NewTable[] = [
  [
    'passkeys',
    ['id'],
    [
      ['id', 'id'],
      ['mail', 'text'],
      ['name', 'text'],
      ['credential_id', 'text'],
      ['user_handle', 'text'],
      ['public_key', 'text'],
      // An authenticator's counter is an unsigned 32-bit number, which does not fit into `int`.
      ['counter', 'instant'],
      ['transports', 'text'],
      ['created_at', 'instant'],
      ['last_used_at', 'instant', 'null'],
    ],
  ],
  [
    'sign_in_challenges',
    ['hash'],
    [
      ['hash', 'text'],
      ['kind', 'text'],
      ['browser_hash', 'text'],
      ['mail', 'text', 'null'],
      ['detail', 'text', 'null'],
      ['expires_at', 'instant'],
    ],
  ],
];

const INDEXES = [
  'create unique index passkeys_by_credential on passkeys (credential_id)',
  'create index passkeys_by_mail on passkeys (mail)',
  'create index sign_in_challenges_by_expiry on sign_in_challenges (expires_at)',
];
