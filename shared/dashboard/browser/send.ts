/** An error response of the server, with the fields of the API's errors. Status 0 if there was no response. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
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

/** The server that a page calls. */
export interface Server {
  /** Path before the path of every call. */
  base: string;
  /** Name in error messages, such as `The emulator`. */
  name: string;
  /** Tells the reader how to bring the server back. */
  unreachableFix: string;
}

/**
 * Calls a server.
 * @param call method and path below the base, such as `POST /clock/advance`.
 * @param signal aborts the request.
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
  const error = errorOf(server, response.status, text);
  error.retryAfterS = Number(response.headers.get('retry-after')) || null;
  throw error;
}

function errorOf(server: Server, status: number, text: string): RequestError {
  try {
    const { code, message, fix, fields = [], status_detail: detail = null } = JSON.parse(text).error;
    const places = fields.map((each: { path: string; message: string }) => `${each.path} ${each.message}`);
    return new RequestError(status, code, [message, ...places].join(' '), fix ?? null, detail);
  } catch {
    return new RequestError(status, 'unknown', `${server.name} responded with ${status}.`);
  }
}
