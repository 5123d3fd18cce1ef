import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { createTables } from './create-tables.ts';
import type { NewTable } from './new-table.ts';

/** Adds the billing of accounts, mail to their owners, and the ends of white-label hosts. */
export function billing(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
      for (const statement of INDEXES) await sql.raw(statement).execute(db);
    },
  };
}

const TABLES: readonly NewTable[] = [
  [
    'billing_accounts',
    ['account_id'],
    [
      ['account_id', 'id'],
      ['customer_id', 'text', 'null'],
      ['card', 'text', 'null'],
      ['newest_card_at', 'instant', 'null'],
      ['subscription', 'text', 'null'],
      ['plan', 'text', 'null'],
      ['plan_asked', 'text', 'null'],
      ['asked_until', 'instant', 'null'],
      ['payment_failed_at', 'instant', 'null'],
      ['dunning_steps', 'int'],
      ['suspended_at', 'instant', 'null'],
      ['trial_mailed_for', 'instant', 'null'],
      ['trial_mailed_days', 'int', 'null'],
      ['version', 'int'],
    ],
  ],
  [
    'billing_events',
    ['id'],
    [
      ['id', 'text'],
      ['type', 'text'],
      ['account_id', 'id'],
      ['received_at', 'instant'],
    ],
  ],
  [
    'account_mails',
    ['id'],
    [
      ['id', 'id'],
      ['account_id', 'id'],
      ['address', 'text'],
      ['subject', 'text'],
      ['body', 'text'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'whitelabel_endings',
    ['app_id'],
    [
      ['app_id', 'id'],
      ['ends_at', 'instant'],
      ['mails', 'int'],
    ],
  ],
];

const INDEXES = [
  'create unique index billing_accounts_customer on billing_accounts (customer_id) where customer_id is not null',
  'create index billing_events_age on billing_events (received_at)',
];
