import type { SchemaFlags } from '../initial.ts';

/** Creates the tables of the certificate manager. */
export const certificatesSchema = ({ textType: text }: SchemaFlags): string[] => [
  `create table acme_accounts (
    directory_url ${text} not null,
    account_url ${text},
    private_key ${text} not null,
    created_at bigint not null,
    constraint acme_accounts_pk primary key (directory_url)
  )`,
  `create table certificates (
    id ${text} not null,
    domain_id ${text} not null,
    ca ${text} not null,
    names ${text} not null,
    chain ${text} not null,
    private_key ${text} not null,
    data_key ${text} not null,
    serial ${text} not null,
    issuer ${text} not null,
    ari_id ${text},
    not_before bigint not null,
    not_after bigint not null,
    renews_at bigint not null,
    window_start bigint,
    window_end bigint,
    created_at bigint not null,
    constraint certificates_pk primary key (id)
  )`,
  'create index certificates_domain on certificates (domain_id, created_at)',
  'create index certificates_end on certificates (not_after)',
  'create index certificates_sealed on certificates (substr(data_key, 1, 17))',
  `create table certificate_history (
    domain_id ${text} not null,
    id ${text} not null,
    issuer ${text} not null,
    serial ${text},
    names ${text} not null,
    not_before bigint not null,
    not_after bigint not null,
    served_from bigint not null,
    constraint certificate_history_pk primary key (domain_id, id)
  )`,
  `create table certificate_orders (
    domain_id ${text} not null,
    purpose ${text} not null,
    failures integer not null,
    without_www integer not null,
    tried ${text} not null,
    problem ${text},
    unchecked_since bigint,
    unshown_since bigint,
    ca ${text},
    names ${text} not null,
    methods ${text} not null,
    replaces ${text},
    order_url ${text},
    answered_times integer not null,
    answer_again_at bigint,
    private_key ${text},
    certificate_id ${text},
    failing_since bigint,
    progressed_at bigint not null,
    constraint certificate_orders_pk primary key (domain_id)
  )`,
  'create index certificate_orders_open on certificate_orders (ca, progressed_at) where ca is not null',
  `create table challenges (
    hostname ${text} not null,
    token ${text} not null,
    domain_id ${text} not null,
    method ${text} not null,
    key_authorization ${text} not null,
    constraint challenges_pk primary key (hostname, token, domain_id)
  )`,
  'create index challenges_domain on challenges (domain_id)',
  `create table revocations (
    id ${text} not null,
    ca ${text} not null,
    chain ${text} not null,
    not_after bigint not null,
    constraint revocations_pk primary key (id)
  )`,
  `create table ca_limits (
    name ${text} not null,
    passes_at bigint not null,
    constraint ca_limits_pk primary key (name)
  )`,
];
