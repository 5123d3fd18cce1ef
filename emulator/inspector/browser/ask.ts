/** An error response of the emulator, with the fields of the API's errors. Status 0 if there was no response. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string | null;

  constructor(status: number, code: string, message: string, fix: string | null = null) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
    this.fix = fix;
  }
}

/** Returns the sentences that explain an error, including the fix if it has one. */
export function sentencesOf(thrown: unknown): string[] {
  if (thrown instanceof RequestError) return [thrown.message, thrown.fix ?? ''].filter(Boolean);
  return [`That failed: ${thrown instanceof Error ? thrown.message : thrown}`];
}

/**
 * Calls the control surface.
 * @param call method and path below `/_emulator`, such as `POST /clock/advance`.
 * @param signal aborts the request.
 * @throws RequestError
 */
export function ask<T>(call: string, body?: object, signal?: AbortSignal): Promise<T> {
  return send<T>('/_emulator', call, {}, body, signal);
}

/** Calls the API below `/v1`. @throws RequestError */
export function askApi<T>(key: string, call: string, body?: object): Promise<T> {
  return send<T>('/v1', call, { authorization: `Bearer ${key}` }, body);
}

async function send<T>(
  base: string,
  call: string,
  headers: Record<string, string>,
  body: object | undefined,
  signal: AbortSignal | null = null,
): Promise<T> {
  const [method = '', path = ''] = call.split(' ');
  const init: RequestInit = { method, headers, cache: 'no-store', signal };
  if (body !== undefined) {
    init.headers = { ...headers, 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  const response = await fetch(base + path, init).catch(failUnreachable);
  const text = await response.text().catch(failUnreachable);
  if (response.ok) return (text === '' ? null : JSON.parse(text)) as T;
  throw errorOf(response.status, text);
}

/** Reports a request without a response, or with an incomplete one. */
function failUnreachable(): never {
  throw new RequestError(
    0,
    'unreachable',
    'The emulator does not respond.',
    'Check that it is still running.',
  );
}

function errorOf(status: number, text: string): RequestError {
  try {
    const { code, message, fix, fields = [] } = JSON.parse(text).error;
    const places = fields.map((each: { path: string; message: string }) => `${each.path} ${each.message}`);
    return new RequestError(status, code, [message, ...places].join(' '), fix ?? null);
  } catch {
    return new RequestError(status, 'unknown', `The emulator responded with ${status}.`);
  }
}
