import type { Settings } from './settings.ts';
import { LISTED_MAX } from './text/printable.ts';

/** A row of the table in `docs/api.md#errors`. */
export interface ErrorRow {
  status: number;
  /** Default message. A ServiceError may replace it with a more specific one. */
  message: string;
  /** One sentence that says what to do. */
  fix: string;
}

export const ERRORS = {
  invalid_request: {
    status: 400,
    message: 'The request could not be read.',
    fix: 'Send a well-formed JSON object with Content-Type: application/json.',
  },
  unauthorized: {
    status: 401,
    message: 'The API key is missing, invalid or revoked.',
    fix: 'Send Authorization: Bearer <API_KEY> with a key that starts with sk_live_ or sk_test_.',
  },
  card_required: {
    status: 402,
    message: 'Live keys need a card on file during the trial.',
    fix: 'Add a card in the dashboard, or create a test key.',
  },
  live_keys_need_plan: {
    status: 402,
    message: 'Live keys need a plan, and the account is on Free.',
    fix: 'Choose a plan or add a card in the dashboard, or create a test key.',
  },
  card_declined: {
    status: 402,
    message: 'The card was declined.',
    fix: 'Use another card, or ask the bank that issued this one.',
  },
  forbidden: {
    status: 403,
    message: 'This key may not do that.',
    fix: 'Use a live key, or the dashboard.',
  },
  account_suspended: {
    status: 403,
    message: 'The account is suspended: changes are paused, but existing domains keep serving.',
    fix: 'Pay the open invoice in the dashboard if there is one, or contact support.',
  },
  plan_required: {
    status: 403,
    message: 'The current plan does not include this feature.',
    fix: 'Choose a plan that includes it.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing here, or it belongs to another app or mode.',
    fix: 'Check the path, the id and the mode of the key.',
  },
  idempotency_key_in_use: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed.',
    fix: 'Wait `Retry-After` seconds and send the same request again.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is larger than 100 KB.',
    fix: 'Send a body of at most 100 KB; metadata is limited to 4 KB.',
  },
  validation_failed: {
    status: 422,
    message: 'The request failed validation.',
    fix: 'Correct the fields that the message names and send the request again.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was already used with a different request.',
    fix: 'Use a new Idempotency-Key for a new request.',
  },
  invalid_hostname: {
    status: 422,
    message: 'This is not a valid hostname.',
    fix: 'Send a plain hostname such as careers.acme.com: no scheme, path, port, wildcard or IP address.',
  },
  hostname_is_service: {
    status: 422,
    message: "The hostname is under one of the service's own zones.",
    fix: "Use a hostname that belongs to your customer, not one of the service's own.",
  },
  hostname_is_public_suffix: {
    status: 422,
    message: 'The hostname is a public suffix, under which other parties register names.',
    fix: 'Use a name below it that your customer owns.',
  },
  hostname_held: {
    status: 422,
    message: 'The hostname is held for review.',
    fix: 'Contact support if your customer owns this hostname.',
  },
  domain_limit_reached: {
    status: 422,
    message: 'The plan allows no more domains.',
    fix: 'Remove a domain, or choose one of the plans in status_detail.plans.',
  },
  origin_not_allowed: {
    status: 422,
    message: 'The origin cannot be used.',
    fix: 'Use a public HTTPS origin: scheme and host only, no private address.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    fix: 'Wait for the number of seconds in Retry-After, then try again.',
  },
  internal_error: {
    status: 500,
    message: 'Something failed on our side.',
    fix: 'Try again; if it fails again, contact support with the request_id.',
  },
  billing_unavailable: {
    status: 503,
    message: 'The billing provider did not respond.',
    fix: 'Try again in a minute.',
  },
  // The codes from here on were added after the first version of `docs/api.md#errors`. The API may gain codes, but never loses one
  // (`docs/api.md#versioning`).
  service_unavailable: {
    status: 503,
    message: 'The service cannot take this request at the moment.',
    fix: 'Wait for the number of seconds in Retry-After, then send the same request again.',
  },
  database_unavailable: {
    status: 503,
    message: 'The database has not confirmed this change. It may have been saved.',
    fix: 'Send it again with the same Idempotency-Key.',
  },
} as const satisfies Record<string, ErrorRow>;

/** Error codes. In responses, `hostname_is_service` becomes `hostname_is_<service>` with the service's own name. */
export type ErrorCode = keyof typeof ERRORS;

export interface ServiceErrorOptions {
  message?: string;
  fix?: string;
  /** The content of `error.status_detail` in the response. */
  status_detail?: Record<string, unknown>;
  /** The value of the Retry-After header, in seconds. */
  retry_after_s?: number;
  cause?: unknown;
}

/** The only error type for failures that a client sees. `http/envelope.ts` is the only place that renders it. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly fix: string;
  readonly status: number;
  readonly status_detail: Record<string, unknown> | undefined;
  readonly retry_after_s: number | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const row = ERRORS[code];
    super(options.message ?? row.message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.fix = options.fix ?? row.fix;
    this.status = row.status;
    this.status_detail = options.status_detail;
    this.retry_after_s = options.retry_after_s;
  }
}

export interface FieldProblem {
  /** Dotted path of the field, e.g. `metadata` or `origin_headers.X-Team`. */
  path: string;
  message: string;
}

/** Creates a 422 `validation_failed` error that lists the first ten invalid fields, as text and as data, and counts the others. */
export function validationFailed(...problems: FieldProblem[]): ServiceError {
  const fields = problems.slice(0, LISTED_MAX);
  const omitted = problems.length - fields.length;
  const lines = fields.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  if (omitted > 0) lines.push(`and ${omitted} more`);
  return new ServiceError('validation_failed', {
    message: lines.join('; '),
    status_detail: omitted > 0 ? { fields, omitted } : { fields },
  });
}

/** Returns the code as it is sent: `hostname_is_<service>` contains the service's name (`docs/api.md#errors`). */
export function codeOnWire(code: ErrorCode, { names }: Pick<Settings, 'names'>): string {
  return code === 'hostname_is_service' ? names.hostname_is_service_code : code;
}
