import { expect, test } from 'vitest';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { LIMITS } from '../../shared/core/limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limits as `docs/api.md#limits` lists them, in the same words and order. */
test.each([
  ['request body: 100 KB', LIMITS.request_body_bytes_max, 102_400],
  ['metadata: 4 KB', LIMITS.metadata_bytes_max, 4096],
  ['filters by metadata: up to 5', LIMITS.metadata_filters_max, 5],
  ['origin_headers: up to 5', LIMITS.origin_headers_max, 5],
  ['hostname in body: 1024 characters', LIMITS.hostname_body_chars_max, 1024],
  ['hostname filter, whitelabel_host: 253 characters', LIMITS.hostname_chars_max, 253],
  ['origin, origin_url, webhook_url: 2048 characters', LIMITS.url_chars_max, 2048],
  ['name: 80 characters', LIMITS.name_chars_max, 80],
  ['cursor: 200 characters', LIMITS.cursor_chars_max, 200],
  ['page size: 100 at most', LIMITS.page_size_max, 100],
  ['page size: 50 by default', LIMITS.page_size_default, 50],
  ['verify: 1 per 15 seconds', BUDGETS.verify.windowMs, 15_000],
  ['redeliver: 10', BUDGETS.redeliver.limit, 10],
  ['redeliver: per minute', BUDGETS.redeliver.windowMs, MINUTE_MS],
  ['deliveries per event: 50', LIMITS.deliveries_per_event_max, 50],
  ['certificates per domain: 200', LIMITS.certificates_per_domain_max, 200],
  ['traffic by hour: 14 days', LIMITS.traffic_hours_kept_ms, 14 * 24 * HOUR_MS],
  ['new accounts: 10 domains', LIMITS.new_account_domains_max, 10],
  ['new accounts: in the first 24 hours', LIMITS.new_account_ms, 24 * HOUR_MS],
  ['trial: 14 days', LIMITS.trial_ms, 14 * 24 * HOUR_MS],
  ['webhook reply: 10 seconds', LIMITS.webhook_timeout_ms, 10_000],
  ['signature tolerance: 300 seconds', LIMITS.signature_tolerance_s, 300],
  ['signing secret overlap: 24 hours', LIMITS.secret_overlap_ms, 24 * HOUR_MS],
  ['window: 72 hours', LIMITS.window_ms, 72 * HOUR_MS],
  ['origin probing: every 15 minutes', LIMITS.probe_every_ms, 15 * MINUTE_MS],
  ['origin unreachable: after 3 failures', LIMITS.probe_failures_unreachable, 3],
  ['white-label grace: 72 hours', LIMITS.whitelabel_grace_ms, 72 * HOUR_MS],
  ['last_used_at: once a minute', LIMITS.last_used_every_ms, MINUTE_MS],
])('the code has the documented limit %s', (_, limit, expected) => {
  expect(limit).toBe(expected);
});

test('every cache forgets a revoked key well within 5 seconds', () => {
  expect(LIMITS.key_cache_ms).toBeLessThan(5000);
});
