/** The limits of `docs/api.md#limits` and `docs/domains.md`. `budgets.ts` has the limits on resources that several parties share. */
export const LIMITS = {
  request_body_bytes_max: 100 * 1024,
  metadata_bytes_max: 4096,
  metadata_filters_max: 5,
  origin_headers_max: 5,
  // This limit bounds how much every edge stores for a domain. The longest header names in use have about 40 characters.
  origin_header_name_chars_max: 128,
  origin_header_value_chars_max: 1024,
  hostname_body_chars_max: 1024,
  hostname_chars_max: 253,
  url_chars_max: 2048,
  name_chars_max: 80,
  cursor_chars_max: 200,
  page_size_max: 100,
  page_size_default: 50,
  idempotency_key_chars_max: 255,
  idempotency_lease_ms: 5_000,
  idempotency_kept_ms: 24 * 3_600_000,
  deliveries_per_event_max: 50,
  new_account_domains_max: 10,
  new_account_ms: 24 * 3_600_000,
  trial_ms: 14 * 24 * 3_600_000,
  webhook_timeout_ms: 10_000,
  webhook_answer_bytes_max: 16 * 1024,
  signature_tolerance_s: 300,
  mail_unconfirmed_kept_ms: 7 * 24 * 3_600_000,
  secret_overlap_ms: 24 * 3_600_000,
  connect_token_s_min: 60,
  connect_token_s_max: 24 * 3_600,
  connect_token_s_default: 3_600,
  window_ms: 72 * 3_600_000,
  probe_timeout_ms: 10_000,
  probe_redirects_max: 5,
  probe_every_ms: 15 * 60_000,
  /** Enough for three years if each certificate lasts a week, and for decades if each has the common lifetime. */
  certificates_per_domain_max: 200,
  /** How long hourly traffic counts are stored. A setting decides how long daily counts are stored. */
  traffic_hours_kept_ms: 14 * 24 * 3_600_000,
  traffic_writers_kept_ms: 7 * 24 * 3_600_000,
  /** The probes of one day, which come every `probe_every_ms`. */
  origin_probes_per_app: 96,
  probe_failures_unreachable: 3,
  whitelabel_grace_ms: 72 * 3_600_000,
  last_used_every_ms: 60_000,
  key_cache_ms: 2_000,
  billing_events_kept_ms: 30 * 24 * 3_600_000,
  billing_event_bytes_max: 512 * 1024,
} as const;

/**
 * An overview counts at most this many domains of each status, and this many of the newest events. The limit bounds the cost for large
 * apps.
 */
export const COUNTED_MAX = 1_000;
