import type { SchemaFlags } from '../initial.ts';

/**
 * Creates domains, their routes, DNS checks and mail subscribers. The index of unfiltered lists has the condition `created_at <> -1`, which
 * is true for every row. Only queries of these lists have the same condition. So no other query can scan this index for rare rows, whatever
 * plan the statistics suggest (`decisions/0021`).
 */
export const domainsSchema = ({ textType: text, commits, rowLocks }: SchemaFlags): string[] => [
  `create table domains (
    id ${text} not null,
    app_id ${text} not null,
    mode ${text} not null,
    hostname ${text} not null,
    reversed_hostname ${text} not null,
    is_apex integer not null,
    status ${text} not null,
    status_since bigint not null,
    status_before_hold ${text},
    reason_before_hold ${text},
    status_reason ${text},
    status_detail ${text},
    origin ${text},
    apex_redirect ${text} not null,
    connect_token ${text} not null,
    txt_value ${text} not null,
    routed_through ${text},
    certificate ${text},
    metadata ${text},
    origin_headers ${text},
    created_at bigint not null,
    updated_at bigint not null,
    window_opened_at bigint not null,
    last_checked_at bigint,
    next_check_at bigint,
    event_seq integer not null,
    last_event_at bigint,
    retired_at bigint,
    constraint domains_pk primary key (id)
  )`,
  "create index domains_by_name on domains (reversed_hostname, id) where status <> 'deleted'",
  'create unique index domains_connect_token on domains (connect_token)',
  "create index domains_deleted on domains (updated_at, id) where status = 'deleted'",
  "create unique index domains_hostname on domains (app_id, hostname) where status <> 'deleted'",
  "create index domains_list on domains (app_id, mode, created_at, id) where status <> 'deleted' and created_at <> -1",
  'create index domains_routed on domains (app_id, routed_through) where routed_through is not null',
  'create index domains_status on domains (app_id, mode, status, created_at, id)',
  `create table domain_metadata (
    domain_id ${text} not null,
    entry ${text} not null,
    app_id ${text} not null,
    mode ${text} not null,
    created_at bigint not null,
    constraint domain_metadata_pk primary key (domain_id, entry)
  )`,
  'create index domain_metadata_list on domain_metadata (app_id, mode, entry, created_at, domain_id)',
  `create table domain_counts (
    account_id ${text} not null,
    used integer not null,
    added integer not null,
    tests integer not null default 0,
    constraint domain_counts_pk primary key (account_id)
  )`,
  `create table holds (
    hostname ${text} not null,
    reason ${text},
    created_at bigint not null,
    constraint holds_pk primary key (hostname)
  )`,
  `create table routes (
    hostname ${text} not null,
    domain_id ${text} not null,
    served_id ${text},
    constraint routes_pk primary key (hostname)
  )`,
  'create index routes_domain on routes (domain_id)',
  'create index routes_served on routes (served_id) where served_id is not null',
  `create table edge_values (
    key ${text} not null,
    epoch bigint not null,
    number bigint not null,
    value ${rowLocks ? 'bytea' : 'blob'},
    deleted_at bigint,
    constraint edge_values_pk primary key (key)
  )`,
  ...commits.columns('edge_values'),
  'create index edge_values_committed on edge_values (xid)',
  // The id of the key that seals a value (`createValueBox`), for `listEdgeKeys`.
  ...(rowLocks
    ? [
        'create index edge_values_sealed on edge_values (substring(value from 3 for get_byte(value, 1))) where value is not null',
      ]
    : []),
  'create index edge_values_deleted on edge_values (deleted_at) where deleted_at is not null',
  `create table edge_source (
    id integer not null,
    installation ${text} not null,
    epoch bigint not null,
    server ${text} not null,
    reconciled ${text},
    constraint edge_source_pk primary key (id)
  )`,
  `create table edge_relay (
    id integer not null,
    holder ${text} not null,
    until bigint not null,
    mark ${text},
    sequence bigint not null,
    report ${text} not null,
    constraint edge_relay_pk primary key (id)
  )`,
  `create table edge_beats (
    node ${text} not null,
    region ${text} not null,
    addresses ${text} not null,
    state ${text} not null,
    heard_at bigint not null,
    served_at bigint,
    constraint edge_beats_pk primary key (node)
  )`,
  `create table edge_drains (
    node ${text} not null,
    actor ${text} not null,
    drained_at bigint not null,
    constraint edge_drains_pk primary key (node)
  )`,
  `create table dns_checks (
    domain_id ${text} not null,
    checked_at bigint not null,
    missed_at bigint,
    name_servers ${text} not null,
    one_click ${text},
    findings ${text} not null,
    progress ${text} not null,
    path ${text},
    constraint dns_checks_pk primary key (domain_id)
  )`,
  // Leaves space for another version of a row in each page. Postgres then need not change an index to write the time of a check. SQLite has
  // no fill factor.
  ...(rowLocks ? ['alter table dns_checks set (fillfactor = 80)'] : []),
  `create table mail_subscriptions (
    id ${text} not null,
    domain_id ${text} not null,
    app_id ${text} not null,
    address ${text} not null,
    token ${text} not null,
    created_at bigint not null,
    confirmed_at bigint,
    language ${text} not null default 'en',
    told ${text},
    broken_at bigint,
    constraint mail_subscriptions_pk primary key (id)
  )`,
  'create unique index mail_subscriptions_address on mail_subscriptions (domain_id, address)',
  'create unique index mail_subscriptions_token on mail_subscriptions (token)',
  'create index mail_subscriptions_unconfirmed on mail_subscriptions (created_at) where confirmed_at is null',
];
