import { DASHBOARD_ERRORS } from '../../core/accounts/dashboard-error.ts';
import type { ErrorCode } from '../../core/errors.ts';

/**
 * The advice to a person for an error code of the API, whose own `fix` is written for programs. A code without advice has a message that
 * says enough.
 */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Reload the page.',
  card_required: 'Add a card on the page Plan, or use test mode.',
  live_keys_need_plan: 'Choose a plan on the page Plan, or use test mode.',
  card_declined: 'Use another card, or ask the bank that issued this one.',
  account_suspended: 'Pay the open invoice on the page Plan if there is one, or contact support.',
  plan_required: 'Choose a plan that includes it on the page Plan.',
  idempotency_key_in_use: 'Try again in a moment.',
  invalid_hostname: 'Type a plain hostname, such as careers.acme.com.',
  hostname_is_public_suffix: 'Use a name below it that your customer owns.',
  hostname_held: 'Contact support if your customer owns this hostname.',
  domain_limit_reached: 'Remove a domain, or choose a larger plan.',
  origin_not_allowed: 'Use a public https address, without a path.',
  rate_limited: 'Try again in a moment.',
  internal_error: 'Try again. If it fails again, contact support.',
  billing_unavailable: 'Try again in a minute.',
  service_unavailable: 'Try again in a moment.',
  database_unavailable: 'Reload the page to see whether the change was saved.',
};

/** The advice for each known code. The dashboard's own errors are written for people. */
const ADVICE_BY_CODE = new Map<string, string>([
  ...Object.entries(DASHBOARD_ERRORS).map(([code, { fix }]) => [code, fix] as const),
  ...Object.entries(ADVICE),
]);

/** An error response of the server, with the fields of the API's errors. The status is 0 if there was no response. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  /** The advice to a person; null if the message says enough. */
  readonly advice: string | null;
  /** The error's `status_detail`; null if it has none. */
  readonly detail: unknown;
  /** Seconds after which the call may succeed; null if the server does not say. */
  retryAfterS: number | null = null;
  /** The id of the request; null if the server does not say. */
  requestId: string | null = null;

  constructor(
    status: number,
    code: string,
    message: string,
    advice: string | null = null,
    detail: unknown = null,
  ) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
    this.advice = advice;
    this.detail = detail;
  }
}

/** Returns the sentences that explain an error, including the advice if there is any. */
export function sentencesOf(thrown: unknown): string[] {
  if (thrown instanceof RequestError) return [thrown.message, thrown.advice ?? ''].filter(Boolean);
  return [`That failed: ${thrown instanceof Error ? thrown.message : thrown}`];
}

/** A server that a page calls. */
export interface Server {
  /** The path that precedes the path of every call. */
  base: string;
  /** The name in error messages, such as `The emulator`. */
  name: string;
  /** A text that says how to start the server again. */
  unreachableAdvice: string;
}

/** The dashboard's own server. */
export const DASHBOARD_SERVER: Server = {
  base: '/dashboard/api',
  name: 'The server',
  unreachableAdvice: 'Check your connection, then try again.',
};

/**
 * Calls a server.
 * @param call method and path below the base, such as `POST /clock/advance`.
 * @param options.signal aborts the request.
 * @throws RequestError
 */
export async function send<T>(
  server: Server,
  call: string,
  options: { body?: object | undefined; signal?: AbortSignal | undefined },
): Promise<T> {
  const { body, signal = null } = options;
  const [method = '', path = ''] = call.split(' ');
  const init: RequestInit = { method, cache: 'no-store', signal };
  if (body !== undefined) {
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const failUnreachable = () => {
    throw new RequestError(0, 'unreachable', `${server.name} does not respond.`, server.unreachableAdvice);
  };
  // A request without a response, or with an incomplete one.
  const response = await fetch(server.base + path, init).catch(failUnreachable);
  const text = await response.text().catch(failUnreachable);
  if (response.ok) return (text === '' ? null : JSON.parse(text)) as T;
  const error = errorOf(server, response.status, text, Number(response.headers.get('retry-after')) || null);
  error.requestId = response.headers.get('x-request-id');
  throw error;
}

function errorOf(server: Server, status: number, text: string, retryAfterS: number | null): RequestError {
  try {
    const { code, message, fields = [], status_detail: detail = null } = JSON.parse(text).error;
    const places = fields.map((each: { path: string; message: string }) => `${each.path} ${each.message}`);
    const advice = retryAfterS === null ? ADVICE_BY_CODE.get(code) : `Try again in ${retryAfterS} s.`;
    const error = new RequestError(status, code, [message, ...places].join(' '), advice, detail);
    error.retryAfterS = retryAfterS;
    return error;
  } catch {
    return new RequestError(status, 'unknown', `${server.name} responded with ${status}.`);
  }
}
