/** Test keys, and resources as the API returns them, for fake responses. */
export const TEST_KEY = 'sk_test_0123456789abcdefghijklmnopqrstuv';
export const LIVE_KEY = 'sk_live_0123456789abcdefghijklmnopqrstuv';

export function domainOf(fields: Record<string, unknown> = {}) {
  return {
    id: 'dom_01k00000000000000000000001',
    hostname: 'careers.acme.com',
    status: 'pending_dns',
    status_reason: 'dns_record_missing',
    status_detail: null,
    is_apex: false,
    mode: 'test',
    dns: {
      cname: { name: 'careers', value: 'abc.edge.example.com' },
      apex: null,
      acme_challenge: null,
      www_acme_challenge: null,
    },
    ready_to_switch: false,
    origin: null,
    apex_redirect: 'none',
    connect_url: 'http://127.0.0.1:1/connect/abc',
    certificate: null,
    metadata: null,
    origin_headers: null,
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:00:00.000Z',
    last_checked_at: null,
    next_check_at: null,
    ...fields,
  };
}

export function appOf(fields: Record<string, unknown> = {}) {
  return {
    id: 'app_01k00000000000000000000001',
    name: 'Acme',
    origin_url: null,
    origin_reachable: false,
    origin_latency_ms: null,
    origin_checked_at: null,
    origin_status_reason: null,
    origin_unreachable: false,
    webhook_url: null,
    whitelabel_host: null,
    whitelabel_verified: false,
    whitelabel_target: 'abc.edge.example.com',
    whitelabel_status_reason: null,
    whitelabel_found: null,
    whitelabel_checked_at: null,
    whitelabel_grace_ends_at: null,
    brand_color: null,
    brand_logo: null,
    support_url: null,
    return_url: null,
    apex_redirect_default: 'none',
    allow_proxied: true,
    created_at: '2026-11-20T12:00:00.000Z',
    ...fields,
  };
}

export function eventOf(fields: Record<string, unknown> = {}) {
  return {
    id: 'evt_01k00000000000000000000001',
    type: 'domain.active',
    domain_id: 'dom_01k00000000000000000000001',
    hostname: 'careers.acme.com',
    previous_status: 'issuing',
    status: 'active',
    created_at: '2026-11-20T12:00:00.000Z',
    delivery: {
      status: 'failed',
      attempts: 8,
      last_status_code: 500,
      last_error: null,
      last_attempt_at: '2026-11-20T12:00:00.000Z',
      next_attempt_at: null,
    },
    ...fields,
  };
}

export function page(...data: unknown[]) {
  return { body: { data, next_cursor: null } };
}
