/**
 * The indexes of the first schema. `created_at <> -1` is true for every row, and only the lists without a status or a type have that
 * condition. So no other query can use their index and walk it to find rare rows, whatever the statistics say (`decisions/0021`).
 */
export const INITIAL_INDEXES = [
  'create index apps_whitelabel_host on apps (whitelabel_host) where whitelabel_host is not null',
  'create unique index apps_target_label on apps (target_label)',
  'create index apps_account on apps (account_id)',
  'create unique index api_keys_hash on api_keys (hash)',
  'create index api_keys_list on api_keys (app_id, mode, created_at, id) where revoked_at is null',
  "create unique index domains_hostname on domains (app_id, hostname) where status <> 'deleted'",
  "create index domains_list on domains (app_id, mode, created_at, id) where status <> 'deleted' and created_at <> -1",
  'create index domains_status on domains (app_id, mode, status, created_at, id)',
  'create index domains_routed on domains (app_id, routed_through) where routed_through is not null',
  "create index domains_by_name on domains (reversed_hostname, id) where status <> 'deleted'",
  "create index domains_deleted on domains (updated_at) where status = 'deleted'",
  'create index api_keys_revoked on api_keys (revoked_at) where revoked_at is not null',
  'create unique index domains_connect_token on domains (connect_token)',
  'create index domain_metadata_list on domain_metadata (app_id, mode, entry, created_at, domain_id)',
  'create index routes_domain on routes (domain_id)',
  'create index route_changes_age on route_changes (created_at)',
  'create unique index mail_subscriptions_address on mail_subscriptions (domain_id, address)',
  'create unique index mail_subscriptions_token on mail_subscriptions (token)',
  'create index mail_subscriptions_unconfirmed on mail_subscriptions (created_at) where confirmed_at is null',
  'create unique index events_seq on events (domain_id, seq)',
  'create index events_list on events (app_id, mode, created_at, id) where created_at <> -1',
  'create index events_type on events (app_id, mode, type, created_at, id)',
  'create index events_by_domain on events (domain_id, app_id, mode, created_at, id)',
  "create index events_pending on events (domain_id, seq) where delivery_status = 'pending'",
  "create index events_ended on events (created_at) where delivery_status <> 'pending'",
  'create unique index deliveries_attempt on deliveries (event_id, attempt)',
  'create index lanes_due on lanes (app_id, due_at, domain_id) where due_at is not null',
  'create index lanes_next on lanes (due_at) where due_at is not null',
  'create index jobs_due on jobs (kind, due_at, subject_id)',
  'create index idempotency_age on idempotency (created_at)',
  // For `sampleSealed`, which reads one sealed text per encryption key.
  'create index idempotency_sealed on idempotency (substr(body, 1, 17)) where body is not null',
];
