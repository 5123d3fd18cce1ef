import { COUNT_COLUMNS } from '../../traffic/traffic-rows.ts';
import type { SchemaFlags } from '../initial.ts';

/**
 * Creates the tables of events, their deliveries, and traffic. The condition `created_at <> -1` is true for every row
 * (`initial/domains.ts`). Counts of traffic are `bigint`, because a busy domain sends more than 2^31 bytes in a day.
 */
export const eventsSchema = ({ textType: text, commits }: SchemaFlags): string[] => [
  `create table events (
    id ${text} not null,
    domain_id ${text} not null,
    app_id ${text} not null,
    mode ${text} not null,
    seq integer not null,
    type ${text} not null,
    hostname ${text} not null,
    previous_status ${text},
    status ${text},
    created_at bigint not null,
    body ${text} not null,
    delivery_status ${text} not null,
    attempts integer not null,
    tries integer not null,
    first_attempt_at bigint,
    last_status_code integer,
    last_error ${text},
    last_attempt_at bigint,
    next_attempt_at bigint,
    webhook_epoch integer not null default 0,
    constraint events_pk primary key (id)
  )`,
  "create index events_age on events ((case when last_attempt_at > created_at then last_attempt_at else created_at end)) where delivery_status <> 'pending'",
  'create index events_by_domain on events (domain_id, app_id, mode, created_at, id)',
  'create index events_delivery on events (app_id, mode, delivery_status, created_at, id)',
  'create index events_list on events (app_id, mode, created_at, id) where created_at <> -1',
  "create index events_pending on events (domain_id, seq) where delivery_status = 'pending'",
  'create unique index events_seq on events (domain_id, seq)',
  'create index events_type on events (app_id, mode, type, created_at, id)',
  ...commits.columns('events'),
  'create index events_committed on events (app_id, mode, xid)',
  `create table deliveries (
    id ${text} not null,
    event_id ${text} not null,
    app_id ${text} not null,
    attempt integer not null,
    automatic integer not null,
    finished integer not null,
    status_code integer,
    response_ms integer,
    error ${text},
    delivered_at bigint,
    next_attempt_at bigint,
    created_at bigint not null,
    response_headers ${text},
    response_body ${text},
    constraint deliveries_pk primary key (id)
  )`,
  'create unique index deliveries_attempt on deliveries (event_id, attempt)',
  `create table traffic (
    subject_id ${text} not null,
    mode ${text} not null,
    "interval" ${text} not null,
    start bigint not null,
    app_id ${text} not null,
    ${COUNT_COLUMNS.map((name) => `${name} bigint not null`).join(', ')},
    top ${text},
    constraint traffic_pk primary key (subject_id, mode, "interval", start)
  )`,
  'create index traffic_age on traffic ("interval", start)',
  `create table traffic_writers (
    id ${text} not null,
    last_batch bigint not null,
    written_at bigint not null,
    constraint traffic_writers_pk primary key (id)
  )`,
];
