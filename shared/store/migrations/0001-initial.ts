import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';
import { CERTIFICATE_INDEXES, CERTIFICATE_TABLES } from './certificate-tables.ts';
import { createTables } from './create-tables.ts';
import { EVENT_TABLES } from './event-tables.ts';
import { INITIAL_INDEXES } from './initial-indexes.ts';
import type { NewTable } from './new-table.ts';

/** Creates the first schema: every table of `tables.ts`. */
export function initial(flags: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await createTables(db, flags, TABLES);
      for (const statement of [...INITIAL_INDEXES, ...CERTIFICATE_INDEXES])
        await sql.raw(statement).execute(db);
    },
  };
}

const TABLES: readonly NewTable[] = [
  ...CERTIFICATE_TABLES,
  ...EVENT_TABLES,
  [
    'accounts',
    ['id'],
    [
      ['id', 'id'],
      ['name', 'text'],
      ['plan', 'text'],
      ['trial_ends_at', 'instant', 'null'],
      ['promotional', 'int'],
      ['card_on_file', 'int'],
      ['suspended', 'int'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'apps',
    ['id'],
    [
      ['id', 'id'],
      ['account_id', 'id'],
      ['name', 'text'],
      ['origin_url', 'text', 'null'],
      ['origin_reachable', 'int'],
      ['origin_latency_ms', 'int', 'null'],
      ['origin_checked_at', 'instant', 'null'],
      ['origin_status_reason', 'text', 'null'],
      ['origin_failures', 'int'],
      ['webhook_url', 'text', 'null'],
      ['whitelabel_host', 'text', 'null'],
      ['whitelabel_verified', 'int'],
      ['whitelabel_found', 'text', 'null'],
      ['whitelabel_set_at', 'instant', 'null'],
      ['whitelabel_checked_at', 'instant', 'null'],
      ['whitelabel_grace_ends_at', 'instant', 'null'],
      ['target_label', 'text'],
      ['apex_redirect_default', 'text'],
      ['signing_secret', 'text'],
      ['previous_signing_secret', 'text', 'null'],
      ['previous_valid_until', 'instant', 'null'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'api_keys',
    ['id'],
    [
      ['id', 'id'],
      ['app_id', 'id'],
      ['name', 'text'],
      ['mode', 'text'],
      ['prefix', 'text'],
      ['last4', 'text'],
      ['hash', 'text'],
      ['created_at', 'instant'],
      ['last_used_at', 'instant', 'null'],
      ['revoked_at', 'instant', 'null'],
    ],
  ],
  [
    'domains',
    ['id'],
    [
      ['id', 'id'],
      ['app_id', 'id'],
      ['mode', 'text'],
      ['hostname', 'text'],
      ['reversed_hostname', 'text'],
      ['is_apex', 'int'],
      ['status', 'text'],
      ['status_since', 'instant'],
      ['status_before_hold', 'text', 'null'],
      ['reason_before_hold', 'text', 'null'],
      ['status_reason', 'text', 'null'],
      ['status_detail', 'text', 'null'],
      ['origin', 'text', 'null'],
      ['apex_redirect', 'text'],
      ['connect_token', 'text'],
      ['txt_value', 'text'],
      ['routed_through', 'text', 'null'],
      ['certificate', 'text', 'null'],
      ['metadata', 'text', 'null'],
      ['origin_headers', 'text', 'null'],
      ['created_at', 'instant'],
      ['updated_at', 'instant'],
      ['window_opened_at', 'instant'],
      ['last_checked_at', 'instant', 'null'],
      ['next_check_at', 'instant', 'null'],
      ['event_seq', 'int'],
      ['last_event_at', 'instant', 'null'],
    ],
  ],
  [
    'domain_metadata',
    ['domain_id', 'entry'],
    [
      ['domain_id', 'id'],
      ['entry', 'text'],
      ['app_id', 'id'],
      ['mode', 'text'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'domain_counts',
    ['account_id'],
    [
      ['account_id', 'id'],
      ['used', 'int'],
      ['added', 'int'],
    ],
  ],
  [
    'routes',
    ['hostname'],
    [
      ['hostname', 'text'],
      ['domain_id', 'id'],
    ],
  ],
  [
    'route_changes',
    ['seq'],
    [
      ['seq', 'serial'],
      ['hostname', 'text', 'null'],
      ['app_id', 'id', 'null'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'dns_checks',
    ['domain_id'],
    [
      ['domain_id', 'id'],
      ['checked_at', 'instant'],
      ['missed_at', 'instant', 'null'],
      ['name_servers', 'text'],
      ['one_click', 'text', 'null'],
      ['findings', 'text'],
      ['progress', 'text'],
    ],
  ],
  [
    'mail_subscriptions',
    ['id'],
    [
      ['id', 'id'],
      ['domain_id', 'id'],
      ['app_id', 'id'],
      ['address', 'text'],
      ['token', 'text'],
      ['created_at', 'instant'],
      ['confirmed_at', 'instant', 'null'],
    ],
  ],
  [
    'holds',
    ['hostname'],
    [
      ['hostname', 'text'],
      ['reason', 'text', 'null'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'jobs',
    ['kind', 'subject_id'],
    [
      ['kind', 'text'],
      ['subject_id', 'id'],
      ['app_id', 'id', 'null'],
      ['due_at', 'instant'],
      ['lease_id', 'id', 'null'],
      ['attempts', 'int'],
    ],
  ],
  [
    'idempotency',
    ['app_id', 'mode', 'key'],
    [
      ['app_id', 'id'],
      ['mode', 'text'],
      ['key', 'text'],
      ['fingerprint', 'text'],
      ['lease_id', 'id', 'null'],
      ['lease_until', 'instant'],
      ['status', 'int', 'null'],
      ['body', 'text', 'null'],
      ['created_at', 'instant'],
    ],
  ],
  [
    'rate_windows',
    ['name'],
    [
      ['name', 'text'],
      ['opened_at', 'instant'],
      ['used', 'int'],
    ],
  ],
  [
    'audit_log',
    ['id'],
    [
      ['id', 'id'],
      ['at', 'instant'],
      ['actor', 'text'],
      ['action', 'text'],
      ['subject', 'text'],
      ['detail', 'text', 'null'],
    ],
  ],
];
