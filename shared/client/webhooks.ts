import { serviceNames } from '../core/service-name.ts';
import type { EventType } from '../core/webhooks/event.ts';
import type { DomainResource } from '../schema/domain.ts';
import { matches } from './signature-check.ts';

export type { DomainResource, EventType };

/**
 * The event that `verifyWebhook` returns (`docs/api.md#webhooks`). v1 may add fields and event types, so let your `switch` ignore unknown
 * types.
 */
export interface WebhookEvent {
  id: string;
  type: EventType;
  created_at: string;
  /** `domain` is what `GET /v1/domains/{id}` returned when the event happened. */
  data: { domain: DomainResource; previous_status: DomainResource['status'] | null };
}

export type SignatureFailure =
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'no_match'
  | 'malformed_body';

/** The error for a request that cannot be trusted. Respond with 400. `reason` is for programs, and the message for people. */
export class WebhookSignatureError extends Error {
  readonly reason: SignatureFailure;

  constructor(reason: SignatureFailure, message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
    this.reason = reason;
  }
}

interface Verification {
  /** The signing secret, with `whsec_`. Pass both secrets during a rotation. An unset environment variable makes the function throw. */
  secret: string | readonly string[] | undefined;
  /** The current time. Defaults to the machine's clock. */
  now?: Date | undefined;
  /** How many seconds the signature's time may differ from `now`, in either direction. Default 300 (`docs/api.md#webhooks`). */
  toleranceS?: number | undefined;
}

interface WebhookRequest extends Verification {
  /** The body as it arrived, before any parsing: text, or bytes such as a Buffer or the result of `request.arrayBuffer()`. */
  body: RawBody;
}
type RawBody = string | ArrayBuffer | ArrayBufferView;
/** A webhook request with all its headers, or with only the `Service-Signature` header, as your framework provides them. */
export type VerifyWebhookInput = WebhookRequest &
  (
    | { signature: string | readonly string[] | null | undefined }
    | { headers: RequestHeaders; serviceName?: string | undefined }
  );

/**
 * Verifies the signature of a webhook request and returns its event.
 *
 * @throws WebhookSignatureError if you must refuse the request.
 * @throws TypeError if your own code is wrong: the secret is missing, or the body of a signed request was already parsed.
 */
export async function verifyWebhook(input: VerifyWebhookInput): Promise<WebhookEvent> {
  const { secret } = input;
  // The signature is read first, because a stranger's request without a signature must not cause the TypeError about your own code.
  const { timestamp, values } = parseWebhookHeader(signatureOf(input));
  const body = readRawBody(input.body);
  if (!(await matches(secret, [timestamp, '.', body], values))) {
    const compact = compactJson(body);
    const reserialised = compact !== null && (await matches(secret, [timestamp, '.', compact], values));
    throw new WebhookSignatureError('no_match', reserialised ? RESERIALISED : NO_WEBHOOK_MATCH);
  }
  checkTime(timestamp, input);
  return parseEvent(body);
}

/** The parts of a request that a signature covers. They may be undefined, as in Node's types, but a request that lacks one is refused. */
interface OriginRequest extends Verification {
  method: string | undefined;
  /** The `Host` header as it arrived. Web standard headers return null if the request has no `Host`. */
  host: string | null | undefined;
  /** Path and query as they arrived, not decoded or normalized, such as Node's `request.url`. */
  path: string | undefined;
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
/**
 * A request to your origin, with all its headers or with only the three values that belong to the signature. `serviceName` is `Service` by
 * default.
 */
export type VerifyOriginRequestInput = OriginRequest &
  ({ headers: RequestHeaders; serviceName?: string | undefined } | SignedHeaders);

/**
 * Verifies that a request to your origin came through the service, for the domain that its headers name. The signature does not cover the
 * body.
 * @throws WebhookSignatureError if you must refuse the request. @throws TypeError if the secret is missing.
 */
export async function verifyOriginRequest(
  input: VerifyOriginRequestInput,
): Promise<{ domain_id: string; timestamp: Date }> {
  const { method, host, path, secret } = input;
  if (method === undefined || host === undefined || host === null || path === undefined)
    throw malformed('it has no method, no host or no path');
  const signed = 'headers' in input ? signedHeaders(input.headers, input.serviceName) : input;
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
  'The body was parsed and serialized again before it was verified. Pass the raw body as it arrived.';
const NO_WEBHOOK_MATCH =
  'No v1 value matches. Either the secret belongs to another app, or the body is not the raw body as it arrived.';
const USE_EXPRESS_RAW = "In Express, use express.raw({ type: '*/*' }) on this route and pass req.body.";
const UNREAD_BODY = `The request has no raw body. ${USE_EXPRESS_RAW}`;
const PARSED_BODY = `body is not the raw body. Pass the string or bytes as they arrived. ${USE_EXPRESS_RAW}`;
const NO_ORIGIN_MATCH =
  'The signature does not match. Either the secret belongs to another app, or the method, host, path or query is not as it arrived.';

/** The names of the headers (`docs/api.md#webhooks`). */
const TIMESTAMP = /^[0-9]{1,12}$/;
const TOLERANCE_S = 300;
/**
 * Maximum length of the signature header. A header with the two values of a rotation is far shorter. The limit bounds the work that a
 * forged header causes.
 */
const HEADER_CHARS_MAX = 2048;

function signatureOf(input: VerifyWebhookInput): unknown {
  if ('headers' in input) {
    return oneHeader(input.headers, serviceNames(input.serviceName ?? 'Service').signature_header);
  }
  const { signature } = input;
  if (!Array.isArray(signature)) return signature;
  if (signature.length > 1) throw malformed('it has more than one signature header');
  return signature[0];
}

/** Parses a header with one `t` and at least one `v1`. Parts with other names are reserved for later schemes. */
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

function signedHeaders(headers: RequestHeaders, serviceName = 'Service'): SignedHeaders {
  const names = serviceNames(serviceName);
  return {
    timestamp: oneHeader(headers, names.timestamp_header),
    signature: oneHeader(headers, names.origin_signature_header),
    domain_id: oneHeader(headers, names.domain_id_header),
  };
}

/**
 * Returns the value of a header. Refuses a repeated header, because the service sends each header exactly once and drops the visitor's
 * copies.
 */
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

/** Checks the time of a signature that was verified. Before the verification, the time could be forged. */
function checkTime(timestamp: string, { now = new Date(), toleranceS = TOLERANCE_S }: Verification): void {
  const ageS = Math.floor(now.getTime() / 1000) - Number(timestamp);
  // An invalid date or tolerance makes this comparison with NaN false, so the request is refused.
  if (Math.abs(ageS) <= toleranceS) return;
  if (ageS < 0) {
    const message = `The request was signed ${-ageS} s in the future, more than ${toleranceS} s. Check the receiver's clock.`;
    throw new WebhookSignatureError('timestamp_in_future', message);
  }
  const message = `The request was signed ${ageS} s ago, more than ${toleranceS} s. It may be a replay, or the receiver's clock is wrong.`;
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

/**
 * Returns the raw body. Refuses a parsed body, because the signature covers the bytes, and the same JSON value can be written in many ways.
 */
function readRawBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string') return body;
  // `instanceof` would not work: in tests with jsdom and in other realms, bytes are of another class with the same name.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  if (isUnread(body)) throw new WebhookSignatureError('no_match', UNREAD_BODY);
  throw new TypeError(PARSED_BODY);
}

/**
 * Returns true if the body looks as it does when no body parser handled the request: `{}` in Express 4, null or undefined elsewhere. Any
 * sender can cause this, so it is not a mistake in your code.
 */
function isUnread(body: unknown): boolean {
  if (body === undefined || body === null) return true;
  return Object.prototype.toString.call(body) === '[object Object]' && Object.keys(body).length === 0;
}

/**
 * Checks only the fields that this version needs, because v1 may add fields (`docs/api.md#versioning`). The signature proves that the
 * service sent the rest.
 */
function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'id') === 'string' && typeof Reflect.get(value, 'type') === 'string';
}

/**
 * Serializes the body again, to detect the most common mistake of receivers: a framework parsed the body, and the handler serialized it.
 * Returns null if the body cannot be serialized, for example because it is nested too deeply.
 */
function compactJson(body: string | Uint8Array): string | null {
  try {
    const value = parseJson(body);
    return value === undefined ? null : JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Returns undefined if the body is not JSON. */
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
