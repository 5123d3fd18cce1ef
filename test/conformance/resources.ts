import { orNull } from './shape.ts';

/**
 * Shapes of the resources of `docs/api.md#app` and of the other responses of `docs/api.md#operations`. They are written from the contract's
 * tables.
 */
export const APP = {
  id: 'app_id',
  name: 'string',
  origin_url: 'url?',
  origin_reachable: 'boolean',
  origin_latency_ms: 'integer?',
  origin_checked_at: 'timestamp?',
  origin_status_reason: 'string?',
  origin_unreachable: 'boolean',
  webhook_url: 'url?',
  whitelabel_host: 'string?',
  whitelabel_verified: 'boolean',
  whitelabel_target: 'string',
  whitelabel_status_reason: 'string?',
  whitelabel_found: 'string?',
  whitelabel_checked_at: 'timestamp?',
  whitelabel_grace_ends_at: 'timestamp?',
  apex_redirect_default: 'apex_redirect',
  brand_color: 'string?',
  brand_logo: 'string?',
  support_url: 'string?',
  return_url: 'url?',
  allow_proxied: 'boolean',
  created_at: 'timestamp',
} as const;

const RECORD_CHANGE = {
  action: 'string',
  type: 'string',
  zone: 'string',
  name: 'string',
  value: 'string',
  ttl: 'integer',
  of: orNull({ type: 'string', value: 'string' }),
} as const;
const RECORD = { name: 'string', value: 'string' } as const;

export const DOMAIN = {
  id: 'dom_id',
  hostname: 'string',
  status: 'status',
  status_reason: 'string?',
  status_detail: orNull({
    expected: 'string',
    found: 'string?',
    hint: 'string',
    'changes?': [RECORD_CHANGE],
  }),
  is_apex: 'boolean',
  mode: 'mode',
  dns: {
    cname: orNull(RECORD),
    apex: orNull({ a: ['string'], aaaa: ['string'], txt: RECORD, 'www?': RECORD }),
    acme_challenge: orNull(RECORD),
    www_acme_challenge: orNull(RECORD),
  },
  ready_to_switch: 'boolean',
  origin: 'url?',
  apex_redirect: 'apex_redirect',
  connect_url: 'url',
  certificate: orNull({
    issuer: 'string',
    not_before: 'timestamp',
    not_after: 'timestamp',
    renews_at: 'timestamp',
  }),
  metadata: 'object?',
  origin_headers: 'strings?',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  last_checked_at: 'timestamp?',
  next_check_at: 'timestamp?',
} as const;

/** The response to a create or an update of a domain. */
export const CHANGED_DOMAIN = { ...DOMAIN, 'warnings?': [{ code: 'string', message: 'string' }] } as const;

export const API_KEY = {
  id: 'key_id',
  name: 'string',
  mode: 'mode',
  prefix: 'string',
  last4: 'string?',
  created_at: 'timestamp',
  last_used_at: 'timestamp?',
} as const;

export const CREATED_API_KEY = { ...API_KEY, key: 'string' } as const;

export const EVENT = {
  id: 'evt_id',
  type: 'event_type',
  domain_id: 'dom_id',
  hostname: 'string',
  previous_status: 'status?',
  status: 'status?',
  created_at: 'timestamp',
  delivery: {
    status: 'delivery_status',
    attempts: 'integer',
    last_status_code: 'integer?',
    last_error: 'string?',
    last_attempt_at: 'timestamp?',
    next_attempt_at: 'timestamp?',
  },
} as const;

export const DELIVERY = {
  id: 'dlv_id',
  event_id: 'evt_id',
  attempt: 'integer',
  status_code: 'integer?',
  response_ms: 'integer?',
  error: 'string?',
  delivered_at: 'timestamp?',
  next_attempt_at: 'timestamp?',
  created_at: 'timestamp',
  response_headers: 'object?',
  response_body: 'string?',
} as const;

/** `body` is an addition to v1 (`docs/api.md#versioning`). Developer tools use this field to send an event again. */
export const EVENT_DETAIL = { ...EVENT, deliveries: [DELIVERY], body: 'string?' } as const;

/** The body of a webhook request (`docs/api.md#webhooks`). */
export const WEBHOOK_BODY = {
  id: 'evt_id',
  type: 'event_type',
  created_at: 'timestamp',
  data: { domain: DOMAIN, previous_status: 'status?' },
} as const;

export const ROTATED = { signing_secret: 'string', previous_valid_until: 'timestamp' } as const;

/** A diagnosis, which is an addition to the contract. The API's documentation of `diagnosis` defines the shape. */
export const DIAGNOSIS = {
  hostname: 'string',
  checked_at: 'timestamp?',
  healthy: 'boolean?',
  provider: orNull({ id: 'string', name: 'string' }),
  name_servers: ['string'],
  findings: [
    {
      code: 'string',
      severity: 'string',
      record: orNull({ type: 'string', name: 'string' }),
      expected: 'string',
      found: 'string?',
      hint: 'string',
      retryable: 'boolean',
      changes: [RECORD_CHANGE],
      docs: 'url',
    },
  ],
  path: orNull({ hop: 'string', leads_here: 'boolean', addresses: ['string'] }),
  issuance_lock: [{ type: 'string', name: 'string', value: 'string' }],
  lookups: [
    {
      asked: 'string',
      server: 'string',
      name: 'string',
      type: 'string',
      outcome: 'string',
      failure: 'string?',
      ede: ['integer'],
      records: [{ name: 'string', type: 'string', value: 'string', ttl_s: 'integer' }],
      negative_ttl_s: 'integer?',
      response_ms: 'integer',
    },
  ],
} as const;

/** Returns the shape of a list endpoint's response (`docs/api.md#operations`). */
function pageOf<const S>(element: S): { data: readonly [S]; next_cursor: 'string?' } {
  return { data: [element], next_cursor: 'string?' };
}

export const DOMAINS = pageOf(DOMAIN);
export const EVENTS = pageOf(EVENT);
export const API_KEYS = pageOf(API_KEY);

/** A list of certificates, which is an addition to the contract. `docs/api.md#certificate` defines the shape. */
export const CERTIFICATES = pageOf({
  id: 'string',
  issuer: 'string',
  serial_number: 'string?',
  names: ['string'],
  not_before: 'timestamp',
  not_after: 'timestamp',
  served_from: 'timestamp',
  served_until: 'timestamp?',
});

const TRAFFIC_COUNTS = {
  requests: 'integer',
  bytes_in: 'integer',
  bytes_out: 'integer',
  status_1xx: 'integer',
  status_2xx: 'integer',
  status_3xx: 'integer',
  status_4xx: 'integer',
  status_5xx: 'integer',
  aborted: 'integer',
  origin_errors: 'integer',
  latency_p50_ms: 'integer?',
  latency_p95_ms: 'integer?',
  latency_p99_ms: 'integer?',
  latency_counts: ['integer'],
} as const;
const TRAFFIC_RANGE = {
  interval: 'string',
  since: 'timestamp',
  until: 'timestamp',
  latency_bounds_ms: ['integer'],
  totals: TRAFFIC_COUNTS,
  buckets: [{ start: 'timestamp', ...TRAFFIC_COUNTS }],
} as const;

/** The traffic of a domain, which is an addition to the contract. `docs/api.md#traffic` defines the shape. */
export const DOMAIN_TRAFFIC = { domain_id: 'dom_id', hostname: 'string', ...TRAFFIC_RANGE } as const;
export const TRAFFIC = {
  ...TRAFFIC_RANGE,
  top_domains: [{ domain_id: 'dom_id', hostname: 'string?', ...TRAFFIC_COUNTS }],
} as const;

/** The envelope of an error (`docs/api.md#errors`). Only `internal_error` has `request_id`. */
export const ERROR = {
  error: { code: 'string', message: 'string', fix: 'string', docs: 'url', 'status_detail?': 'object' },
} as const;

/** Every error code with its HTTP status (`docs/api.md#errors`). Some codes contain the service's name, which is Service in the tests. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  card_required: 402,
  live_keys_need_plan: 402,
  card_declined: 402,
  forbidden: 403,
  account_suspended: 403,
  plan_required: 403,
  not_found: 404,
  idempotency_key_in_use: 409,
  payload_too_large: 413,
  validation_failed: 422,
  idempotency_key_reused: 422,
  invalid_hostname: 422,
  hostname_is_service: 422,
  hostname_is_public_suffix: 422,
  hostname_held: 422,
  domain_limit_reached: 422,
  origin_not_allowed: 422,
  rate_limited: 429,
  internal_error: 500,
  billing_unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** The method and path of every endpoint of `docs/api.md#operations`. */
export const ENDPOINTS: readonly [method: string, path: string][] = [
  ['GET', '/v1/apps/current'],
  ['PATCH', '/v1/apps/current'],
  ['POST', '/v1/apps/current/signing-secret/rotate'],
  ['GET', '/v1/keys'],
  ['POST', '/v1/keys'],
  ['DELETE', '/v1/keys/key_1'],
  ['POST', '/v1/domains'],
  ['GET', '/v1/domains'],
  ['GET', '/v1/domains/dom_1'],
  ['PATCH', '/v1/domains/dom_1'],
  ['DELETE', '/v1/domains/dom_1'],
  ['POST', '/v1/domains/dom_1/verify'],
  ['GET', '/v1/events'],
  ['GET', '/v1/events/evt_1'],
  ['POST', '/v1/events/evt_1/redeliver'],
];
