import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewTable } from './new-table.ts';

/** Adds the people of an account, their sign-in links and sessions, and the index of an account's audit log. */
export function members(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
      for (const statement of INDEXES) await sql.raw(statement).execute(db);
    },
  };
}

const TABLES: readonly NewTable[] = [
  [
    'members',
    ['id'],
    [
      ['id', 'id'],
      ['account_id', 'id'],
      ['mail', 'text'],
      ['role', 'text'],
      ['created_at', 'instant'],
      ['joined_at', 'instant', 'null'],
    ],
  ],
  [
    'sign_in_links',
    ['id'],
    [
      ['id', 'id'],
      ['hash', 'text', 'null'],
      ['browser_hash', 'text', 'null'],
      ['mail', 'text'],
      ['next', 'text'],
      ['expires_at', 'instant'],
      ['used_at', 'instant', 'null'],
    ],
  ],
  [
    'sessions',
    ['id'],
    [
      ['id', 'id'],
      ['hash', 'text'],
      ['mail', 'text'],
      ['user_agent', 'text'],
      ['created_at', 'instant'],
      ['signed_in_at', 'instant'],
      ['last_seen_at', 'instant'],
    ],
  ],
];

const INDEXES = [
  'create unique index members_of_account on members (account_id, mail)',
  'create index members_by_mail on members (mail)',
  'create unique index sign_in_links_by_hash on sign_in_links (hash)',
  'create index sign_in_links_by_expiry on sign_in_links (expires_at)',
  'create unique index sessions_by_hash on sessions (hash)',
  'create index sessions_by_mail on sessions (mail)',
  'create index sessions_by_age on sessions (last_seen_at)',
  'create index audit_log_by_subject on audit_log (subject, id)',
];
