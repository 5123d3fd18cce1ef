import type { Settings } from '../../core/settings.ts';
import { LATENCY_BOUNDS_MS } from '../../core/traffic/traffic-counts.ts';
import type {
  ApiKeyResource,
  ConnectTokenResource,
  CreateConnectToken,
  CreatedApiKey,
  CreateKey,
} from '../api-key.ts';
import type { AppResource, RotatedSecret, UpdateApp } from '../app.ts';
import type { CertificateResource } from '../certificate.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { ChangedDomain, CreateDomain, DomainResource, UpdateDomain } from '../domain.ts';
import type { DeliveryResource, EventDetail, EventResource, WebhookBody } from '../event.ts';
import type { DomainTraffic, Traffic, TrafficCountsResource } from '../traffic.ts';

/** Returns an example of every body in the document, by schema name. */
export function examples({
  baseUrl,
  docsUrl,
}: Pick<Settings, 'baseUrl' | 'docsUrl'>): Record<string, unknown> {
  const App: AppResource = {
    id: 'app_01k9v3h2m4n6p8q0r2s4t6v8wx',
    name: 'Acme Careers',
    origin_url: 'https://origin.acme-careers.com',
    origin_reachable: true,
    origin_latency_ms: 84,
    origin_checked_at: '2026-11-20T09:15:00.000Z',
    origin_status_reason: null,
    origin_unreachable: false,
    webhook_url: 'https://hooks.acme-careers.com/domains',
    whitelabel_host: null,
    whitelabel_verified: false,
    whitelabel_target: 'k7m2q9.edge.acme-cdn.net',
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
    created_at: '2026-10-01T08:00:00.000Z',
  };
  const Domain: DomainResource = {
    id: 'dom_01k9v3m8x7c5d2f0q4t6w1z8ab',
    hostname: 'careers.acme.com',
    status: 'active',
    status_reason: null,
    status_detail: null,
    is_apex: false,
    mode: 'live',
    dns: {
      cname: { name: 'careers', value: 'k7m2q9.edge.acme-cdn.net' },
      apex: null,
      acme_challenge: {
        name: '_acme-challenge.careers',
        value: '8b1f0c6d2e7a4953b0d1c2f3a4e5d697.acme.edge.acme-cdn.net',
      },
      www_acme_challenge: null,
    },
    origin: null,
    apex_redirect: 'none',
    connect_url: `${baseUrl}/connect/3f9c1b7e5a2d4068`,
    ready_to_switch: false,
    certificate: {
      issuer: "Let's Encrypt",
      not_before: '2026-11-20T08:01:10.000Z',
      not_after: '2027-02-18T08:01:09.000Z',
      renews_at: '2027-01-19T08:01:10.000Z',
    },
    metadata: { team: 'recruiting' },
    origin_headers: { 'X-Tenant': 'acme' },
    created_at: '2026-11-20T08:00:00.000Z',
    updated_at: '2026-11-20T08:01:12.000Z',
    last_checked_at: '2026-11-20T09:00:00.000Z',
    next_check_at: '2026-11-20T10:00:00.000Z',
  };
  const ChangedDomain: ChangedDomain = {
    ...Domain,
    status: 'pending_dns',
    status_reason: 'dns_record_missing',
    status_detail: {
      expected: 'careers.acme.com CNAME k7m2q9.edge.acme-cdn.net',
      found: null,
      hint: 'Add the CNAME record at the DNS provider of acme.com.',
    },
    certificate: null,
    updated_at: Domain.created_at,
    last_checked_at: null,
    next_check_at: '2026-11-20T08:00:10.000Z',
  };
  const Certificate: CertificateResource = {
    id: 'crt_01k9v3q1a5b8c2d6f0g3h7j1kn',
    issuer: "Let's Encrypt",
    serial_number: '04a1f0c6d2e7a4953b0d1c2f3a4e5d6970b1',
    names: [Domain.hostname],
    not_before: '2026-11-20T08:01:10.000Z',
    not_after: '2027-02-18T08:01:09.000Z',
    served_from: '2026-11-20T08:01:12.000Z',
    served_until: null,
  };
  const TrafficCounts: TrafficCountsResource = {
    requests: 1200,
    bytes_in: 640_000,
    bytes_out: 48_200_000,
    status_1xx: 0,
    status_2xx: 1100,
    status_3xx: 70,
    status_4xx: 24,
    status_5xx: 4,
    aborted: 2,
    origin_errors: 3,
    latency_p50_ms: 31,
    latency_p95_ms: 95,
    latency_p99_ms: 320,
    latency_counts: [0, 12, 400, 480, 190, 24, 14, 4, 1, 0, 0, 0],
  };
  const range = {
    interval: 'hour',
    since: '2026-11-20T08:00:00.000Z',
    until: '2026-11-20T09:00:00.000Z',
    latency_bounds_ms: [...LATENCY_BOUNDS_MS],
    totals: TrafficCounts,
    buckets: [{ start: '2026-11-20T08:00:00.000Z', ...TrafficCounts }],
  };
  const DomainTraffic: DomainTraffic = { domain_id: Domain.id, hostname: Domain.hostname, ...range };
  const Traffic: Traffic = {
    ...range,
    top_domains: [{ domain_id: Domain.id, hostname: Domain.hostname, ...TrafficCounts }],
  };
  const CreateConnectToken: CreateConnectToken = { expires_in_s: 3600 };
  const ConnectToken: ConnectTokenResource = {
    token: 'ct_k1.Zm9yIGV4YW1wbGUgb25seQ',
    domain_id: Domain.id,
    expires_at: '2026-11-20T09:00:00.000Z',
    base_url: baseUrl,
  };
  const Diagnosis: Diagnosis = {
    hostname: Domain.hostname,
    checked_at: '2026-11-20T08:00:12.000Z',
    healthy: false,
    provider: { id: 'hetzner', name: 'Hetzner' },
    name_servers: ['helium.ns.hetzner.de', 'hydrogen.ns.hetzner.com'],
    findings: [
      {
        code: 'dns_record_mismatch',
        severity: 'error',
        record: { type: 'CNAME', name: 'careers' },
        expected: 'k7m2q9.edge.acme-cdn.net',
        found: 'acme.netlify.app (Netlify)',
        hint: 'Change the record careers so that it points to us: type CNAME, value k7m2q9.edge.acme-cdn.net. It now points to acme.netlify.app (Netlify).',
        retryable: false,
        changes: [
          {
            action: 'replace',
            type: 'CNAME',
            zone: 'acme.com',
            name: 'careers',
            value: 'k7m2q9.edge.acme-cdn.net',
            ttl: 3600,
            of: { type: 'CNAME', value: 'acme.netlify.app' },
          },
        ],
        docs: `${docsUrl}/reasons/dns_record_mismatch`,
      },
    ],
    lookups: [
      {
        asked: 'authority',
        server: 'helium.ns.hetzner.de (193.47.99.5)',
        name: Domain.hostname,
        type: 'A',
        outcome: 'answer',
        failure: null,
        ede: [],
        records: [{ name: Domain.hostname, type: 'CNAME', value: 'acme.netlify.app', ttl_s: 3600 }],
        negative_ttl_s: null,
        response_ms: 21,
      },
    ],
    path: { hop: 'elsewhere', leads_here: false, addresses: ['75.2.60.5'] },
    issuance_lock: [],
  };
  const Event: EventResource = {
    id: 'evt_01k9v3p5b8c1d4f7g0h3j6k9mn',
    type: 'domain.active',
    domain_id: Domain.id,
    hostname: Domain.hostname,
    previous_status: 'issuing',
    status: 'active',
    created_at: Domain.updated_at,
    delivery: {
      status: 'delivered',
      attempts: 1,
      last_status_code: 200,
      last_error: null,
      last_attempt_at: '2026-11-20T08:01:12.300Z',
      next_attempt_at: null,
    },
  };
  const Delivery: DeliveryResource = {
    id: 'dlv_01k9v3p5h2j4k6m8n0p2q4r6st',
    event_id: Event.id,
    attempt: 1,
    status_code: 200,
    response_ms: 112,
    error: null,
    delivered_at: '2026-11-20T08:01:12.412Z',
    next_attempt_at: null,
    created_at: '2026-11-20T08:01:12.300Z',
    response_headers: { 'content-type': 'text/plain' },
    response_body: 'ok',
  };
  const WebhookEvent: WebhookBody = {
    id: Event.id,
    type: Event.type,
    created_at: Event.created_at,
    data: { domain: Domain, previous_status: 'issuing' },
  };
  const EventDetail: EventDetail = { ...Event, deliveries: [Delivery], body: JSON.stringify(WebhookEvent) };
  const ApiKey: ApiKeyResource = {
    id: 'key_01k9v3r7s9t1v3w5x7y9z1a3bc',
    name: 'Build server',
    mode: 'test',
    prefix: 'sk_test_EXAM',
    last4: 'Exam',
    created_at: '2026-10-01T08:00:00.000Z',
    last_used_at: null,
  };
  const CreatedApiKey: CreatedApiKey = { ...ApiKey, key: 'sk_test_EXAMPLEexampleEXAMPLEexampleExam' };
  const RotatedSigningSecret: RotatedSecret = {
    signing_secret: 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZSE=',
    previous_valid_until: '2026-11-21T08:00:00.000Z',
  };
  const CreateDomain: CreateDomain = {
    hostname: Domain.hostname,
    metadata: { team: 'recruiting' },
    origin_headers: { 'X-Tenant': 'acme' },
  };
  const UpdateDomain: UpdateDomain = { metadata: { team: 'people' } };
  const CreateApiKey: CreateKey = { name: ApiKey.name, mode: ApiKey.mode };
  const UpdateApp: UpdateApp = {
    origin_url: 'https://origin.acme-careers.com',
    webhook_url: App.webhook_url,
  };
  return {
    App,
    UpdateApp,
    RotatedSigningSecret,
    ApiKey,
    ApiKeyList: { data: [ApiKey], next_cursor: null },
    CreateApiKey,
    CreatedApiKey,
    Domain,
    DomainList: { data: [Domain], next_cursor: null },
    CertificateList: { data: [Certificate], next_cursor: null },
    CreateDomain,
    UpdateDomain,
    ChangedDomain,
    Queued: { queued: true },
    Certificate,
    TrafficCounts,
    DomainTraffic,
    Traffic,
    CreateConnectToken,
    ConnectToken,
    Diagnosis,
    Event,
    EventList: { data: [Event], next_cursor: null },
    EventDetail,
    Delivery,
    WebhookEvent,
  };
}
