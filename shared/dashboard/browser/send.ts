import { ERRORS, type ErrorCode } from '../../core/errors.ts';

/**
 * The advice to a person for an error code, in place of the `fix` of the API, which is written for programmers. Null if the message says
 * enough.
 */
const FIXES_FOR_PEOPLE: Partial<Record<ErrorCode, string | null>> = {
  invalid_request: null,
  unauthorized: 'Reload the page.',
  forbidden: null,
  not_found: null,
  idempotency_key_in_use: 'Try again in a moment.',
  payload_too_large: null,
  validation_failed: null,
  idempotency_key_reused: null,
  domain_limit_reached: 'Remove a domain, or choose a larger plan.',
  rate_limited: 'Try again in a moment.',
  internal_error: 'Try again. If it fails again, contact support.',
  service_unavailable: 'Try again in a moment.',
  database_unavailable: 'Reload the page to see whether the change was saved.',
};

/** An error response of the server, with the fields of the API's errors. The status is 0 if there was no response. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  /** The advice to a person; null if the message says enough. */
  readonly fix: string | null;
  /** The error's `status_detail`; null if it has none. */
  readonly detail: unknown;
  /** Seconds after which the call may succeed; null if the server does not say. */
  retryAfterS: number | null = null;

  constructor(
    status: number,
    code: string,
    message: string,
    fix: string | null = null,
    detail: unknown = null,
  ) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
    this.fix = fix;
    this.detail = detail;
  }
}

/** Returns the sentences that explain an error, including the fix if it has one. */
export function sentencesOf(thrown: unknown): string[] {
  if (thrown instanceof RequestError) return [thrown.message, thrown.fix ?? ''].filter(Boolean);
  return [`That failed: ${thrown instanceof Error ? thrown.message : thrown}`];
}

/** A server that a page calls. */
export interface Server {
  /** The path that precedes the path of every call. */
  base: string;
  /** The name in error messages, such as `The emulator`. */
  name: string;
  /** A text that says how to start the server again. */
  unreachableFix: string;
}

/** The dashboard's own server. */
export const DASHBOARD_SERVER: Server = {
  base: '/dashboard/api',
  name: 'The server',
  unreachableFix: 'Check your connection, then try again.',
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
  options: { headers?: Record<string, string>; body?: object | undefined; signal?: AbortSignal | undefined },
): Promise<T> {
  const { headers = {}, body, signal = null } = options;
  const [method = '', path = ''] = call.split(' ');
  const init: RequestInit = { method, headers, cache: 'no-store', signal };
  if (body !== undefined) {
    init.headers = { ...headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const failUnreachable = () => {
    throw new RequestError(0, 'unreachable', `${server.name} does not respond.`, server.unreachableFix);
  };
  // A request without a response, or with an incomplete one.
  const response = await fetch(server.base + path, init).catch(failUnreachable);
  const text = await response.text().catch(failUnreachable);
  if (response.ok) return (text === '' ? null : JSON.parse(text)) as T;
  throw errorOf(server, response.status, text, Number(response.headers.get('retry-after')) || null);
}

function errorOf(server: Server, status: number, text: string, retryAfterS: number | null): RequestError {
  try {
    const { code, message, fix, fields = [], status_detail: detail = null } = JSON.parse(text).error;
    const places = fields.map((each: { path: string; message: string }) => `${each.path} ${each.message}`);
    const advice = retryAfterS === null ? fixForPeople(code, fix ?? null) : `Try again in ${retryAfterS} s.`;
    const error = new RequestError(status, code, [message, ...places].join(' '), advice, detail);
    error.retryAfterS = retryAfterS;
    return error;
  } catch {
    return new RequestError(status, 'unknown', `${server.name} responded with ${status}.`);
  }
}

/**
 * Returns the advice to a person about an error. If the operation gave a specific `fix`, returns this instead of the advice for the error
 * code.
 */
function fixForPeople(code: ErrorCode, fix: string | null): string | null {
  return ERRORS[code]?.fix === fix && code in FIXES_FOR_PEOPLE ? (FIXES_FOR_PEOPLE[code] ?? null) : fix;
}
