import { serviceNames } from '../core/service-name.ts';
import { matches } from './signature-check.ts';

/** What `verifyWebhook` reads: section 6. More fields and types may come within v1. */
export interface WebhookEvent {
  id: string;
  type: string;
  created_at: string;
  data: { domain: Record<string, unknown>; previous_status: string | null };
}

export type SignatureFailure =
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'no_match'
  | 'malformed_body';

/** The request is not to be trusted: answer 400. `reason` is for programs, the message for people. */
export class WebhookSignatureError extends Error {
  readonly reason: SignatureFailure;

  constructor(reason: SignatureFailure, message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
    this.reason = reason;
  }
}

interface Verification {
  /** The signing secret, `whsec_` included; several while one replaces another. An unset environment variable is refused. */
  secret: string | readonly string[] | undefined;
  /** The receiver's clock; the machine's own by default. */
  now?: Date;
  /** How many seconds the signature's time may be from `now`, either way; 300 by default (section 6, rule 3). */
  tolerance_s?: number;
}

interface WebhookRequest extends Verification {
  /** The body as it arrived, before any parsing. */
  body: string | Uint8Array;
}
/** With all headers of the request, or with the `Service-Signature` header, as any framework gives it. */
export type VerifyWebhookInput = WebhookRequest &
  (
    | { signature: string | readonly string[] | null | undefined }
    | { headers: RequestHeaders; service_name?: string }
  );

/**
 * Verifies the signature of a webhook request and returns its event.
 *
 * @throws WebhookSignatureError when the request must be refused.
 * @throws TypeError when the receiver's own code is wrong: the secret is missing, or the body was already parsed.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const { body, secret } = input;
  requireRawBody(body);
  const { timestamp, values } = parseWebhookHeader(signatureOf(input));
  if (!(await matches(secret, [timestamp, '.', body], values))) {
    const compact = compactJson(body);
    const reserialised = compact !== null && (await matches(secret, [timestamp, '.', compact], values));
    throw new WebhookSignatureError('no_match', reserialised ? RESERIALISED : NO_WEBHOOK_MATCH);
  }
  checkTime(timestamp, input);
  return parseEvent(body);
}

interface OriginRequest extends Verification {
  method: string;
  /** The `Host` header as it arrived. */
  host: string;
  /** Path and query as they arrived, not decoded or normalised: Node's `request.url`. */
  path: string;
}
export interface SignedHeaders {
  timestamp: string;
  signature: string;
  domain_id: string;
}
/** `Headers` of the Fetch API, or Node's `request.headers`. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;
/** With all headers of the request, or with the three values that matter. `service_name` is `Service` by default. */
export type VerifyOriginRequestInput = OriginRequest &
  ({ headers: RequestHeaders; service_name?: string } | SignedHeaders);

/**
 * Checks that a request to the origin came through the service, for the domain that it names. The body is not signed.
 * @throws WebhookSignatureError when it is to be refused; TypeError when the secret is missing, which is the origin's mistake.
 */
export async function verifyOriginRequest(
  input: VerifyOriginRequestInput,
): Promise<{ domain_id: string; timestamp: Date }> {
  const { method, host, path, secret } = input;
  const signed = 'headers' in input ? signedHeaders(input.headers, input.service_name) : input;
  const { timestamp, signature, domain_id } = signed;
  if (!TIMESTAMP.test(timestamp)) throw malformed('its timestamp is not 1 to 12 decimal digits');
  const value = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (value === undefined) throw malformed('its signature is not v1= and 64 lowercase hexadecimal digits');
  const content = `${timestamp}.${method}.${host}.${path}.${domain_id}`;
  if (!(await matches(secret, [content], [value])))
    throw new WebhookSignatureError('no_match', NO_ORIGIN_MATCH);
  checkTime(timestamp, input);
  return { domain_id, timestamp: new Date(Number(timestamp) * 1000) };
}

const RESERIALISED =
  'The body was parsed and serialised again before it was verified. Pass the raw body, as it arrived.';
const NO_WEBHOOK_MATCH =
  'No v1 value matches. Either the secret is not the one of this app, or the body is not the raw body as it arrived.';
const NO_ORIGIN_MATCH =
  'The signature does not match. Either the secret is not the one of this app, or method, host, path and query are not those that arrived.';

/** Section 6, rule 4. */
const TIMESTAMP = /^[0-9]{1,12}$/;
const TOLERANCE_S = 300;
/** Far more than the two values of a rotation take; bounds the work that a forged header causes. */
const HEADER_CHARS_MAX = 2048;

function signatureOf(input: VerifyWebhookInput): unknown {
  if ('headers' in input) {
    return oneHeader(input.headers, serviceNames(input.service_name ?? 'Service').signature_header);
  }
  const { signature } = input;
  if (!Array.isArray(signature)) return signature;
  if (signature.length > 1) throw malformed('it has its signature header more than once');
  return signature[0];
}

/** One `t` and at least one `v1`; parts by other names are for later schemes. */
function parseWebhookHeader(header: unknown): { timestamp: string; values: string[] } {
  if (typeof header !== 'string' || header === '') throw malformed('it has no signature header');
  if (header.length > HEADER_CHARS_MAX)
    throw malformed(`its signature header has over ${HEADER_CHARS_MAX} characters`);
  const timestamps: string[] = [];
  const values: string[] = [];
  for (const part of header.split(',')) {
    const [, key, value = ''] = /^([a-z][a-z0-9]*)=(\S+)$/.exec(part) ?? [];
    if (key === undefined) throw malformed('its signature header is not t=<unix seconds>,v1=<hex>');
    if (key === 't') timestamps.push(value);
    if (key === 'v1') values.push(value);
  }
  const [timestamp] = timestamps;
  if (timestamp === undefined || timestamps.length > 1)
    throw malformed('its signature header must have exactly one t');
  if (!TIMESTAMP.test(timestamp)) throw malformed('t in its signature header is not 1 to 12 decimal digits');
  if (values.length === 0) throw malformed('its signature header has no v1');
  if (!values.every((value) => /^[0-9a-f]{64}$/.test(value))) {
    throw malformed('a v1 in its signature header is not 64 lowercase hexadecimal digits');
  }
  return { timestamp, values };
}

function signedHeaders(headers: RequestHeaders, service_name = 'Service'): SignedHeaders {
  const names = serviceNames(service_name);
  return {
    timestamp: oneHeader(headers, names.timestamp_header),
    signature: oneHeader(headers, names.origin_signature_header),
    domain_id: oneHeader(headers, names.domain_id_header),
  };
}

/** A header that came twice is refused: the service drops the visitor's copy and sends one. */
function oneHeader(headers: RequestHeaders, name: string): string {
  const found =
    typeof headers.get === 'function'
      ? [headers.get(name)]
      : Object.entries(headers).flatMap(([key, value]) =>
          key.toLowerCase() === name.toLowerCase() ? value : [],
        );
  const [value, second] = found.filter((each) => typeof each === 'string');
  if (value === undefined) throw malformed(`it has no header ${name}`);
  if (second !== undefined) throw malformed(`it has the header ${name} more than once`);
  return value;
}

/** After the signature: before it, the time is anybody's claim. */
function checkTime(timestamp: string, { now = new Date(), tolerance_s = TOLERANCE_S }: Verification): void {
  const age_s = Math.floor(now.getTime() / 1000) - Number(timestamp);
  // Written so that an invalid date or tolerance, which is not a number, refuses.
  if (Math.abs(age_s) <= tolerance_s) return;
  if (age_s < 0) {
    const message = `The request was signed ${-age_s} s in the future, more than ${tolerance_s} s. Check the receiver's clock.`;
    throw new WebhookSignatureError('timestamp_in_future', message);
  }
  const message = `The request was signed ${age_s} s ago, more than ${tolerance_s} s. It may be replayed; or check the receiver's clock.`;
  throw new WebhookSignatureError('timestamp_too_old', message);
}

function parseEvent(body: string | Uint8Array): WebhookEvent {
  const event = parseJson(body);
  if (!isEvent(event)) {
    throw new WebhookSignatureError(
      'malformed_body',
      'The signature matches, but the body is not an event in JSON.',
    );
  }
  return event;
}

/** Refuses a parsed body: the signature covers the bytes, and JSON has many spellings of one value. */
function requireRawBody(body: unknown): void {
  if (typeof body === 'string' || body instanceof Uint8Array) return;
  throw new TypeError(
    "body is not the raw body. Pass the string or bytes as they arrived. In Express, use express.raw({ type: 'application/json' }) on this route and pass req.body.",
  );
}

/** Loosely, as v1 only grows (section 9): the signature vouches for the rest. */
function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'id') === 'string' && typeof Reflect.get(value, 'type') === 'string';
}

/**
 * The most common mistake of receivers, found out: a framework parsed the body, and the handler serialised it.
 * Null for what cannot be serialised, such as nesting deeper than the stack.
 */
function compactJson(body: string | Uint8Array): string | null {
  try {
    const value = parseJson(body);
    return value === undefined ? null : JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Undefined for what is no JSON. */
function parseJson(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    );
  } catch {
    return undefined;
  }
}

function malformed(what: string): WebhookSignatureError {
  return new WebhookSignatureError('malformed_header', `The request cannot be verified: ${what}.`);
}
