import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DialectFlags } from '../store.ts';

/** Adds an index in page order for each list and filter, and counts the domains of an account as they change. */
export function listsAtScale({ text_type }: DialectFlags): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of [...INDEXES, ...metadata(text_type), ...counts(text_type)])
        await sql.raw(statement).execute(db);
    },
  };
}

/**
 * Runs first, because building an index holds back the writers of `domains` until the commit. The rows that are copied and counted
 * below therefore stay the same. Only the lists without a status or type state `created_at >= 0`, which is true of every row. So another
 * query cannot choose their index and walk it for rare rows, whatever the statistics say.
 */
const INDEXES = [
  'drop index domains_list',
  "create index domains_list on domains (app_id, mode, created_at, id) where status <> 'deleted' and created_at >= 0",
  'drop index domains_status',
  'create index domains_status on domains (app_id, mode, status, created_at, id)',
  'drop index events_list',
  'create index events_list on events (app_id, mode, created_at, id) where created_at >= 0',
  'create index events_type on events (app_id, mode, type, created_at, id)',
  'drop index events_by_domain',
  'create index events_by_domain on events (domain_id, app_id, mode, created_at, id)',
  'drop index api_keys_list',
  'create index api_keys_list on api_keys (app_id, mode, created_at, id) where revoked_at is null',
];

const metadata = (text: string) => [
  `alter table domain_metadata add column app_id ${text}`,
  `alter table domain_metadata add column mode ${text}`,
  'alter table domain_metadata add column created_at bigint',
  `update domain_metadata set app_id = domains.app_id, mode = domains.mode, created_at = domains.created_at
   from domains where domains.id = domain_metadata.domain_id`,
  'drop index domain_metadata_entry',
  'create index domain_metadata_list on domain_metadata (app_id, mode, entry, created_at, domain_id)',
];

const counts = (text: string) => [
  `create table domain_counts (
     account_id ${text} not null, used integer not null, added integer not null,
     constraint domain_counts_pk primary key (account_id))`,
  `insert into domain_counts (account_id, used, added)
   select apps.account_id, sum(case when domains.status in ('expired', 'deleted') then 0 else 1 end), count(*)
   from domains join apps on apps.id = domains.app_id where domains.mode = 'live' group by apps.account_id`,
];
