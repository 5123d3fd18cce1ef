import { ApiError, NetworkError } from './client-error.ts';

/** One call over `fetch`: deadlines, retries with backoff, and errors as values of `client-error.ts`. */
export interface RequestOptions {
  /** Address of the API without `/v1`. */
  base_url: string;
  /** Sent with every request. */
  headers: Record<string, string>;
  /** Replaces the global `fetch`. */
  fetch?: Fetch;
  /** Attempts after the first one; 3 by default, 0 for none. */
  retries?: number;
  /** Deadline of one attempt; 30 000 by default, since the service may probe an origin meanwhile. */
  timeout_ms?: number;
  /** A `Retry-After` beyond this is thrown at once and not waited for; 30 000 by default. */
  wait_ms_max?: number;
  /** Replaces the timer, for tests. */
  sleep?: (wait_ms: number) => Promise<void>;
}

/** As much of `fetch` as a request takes. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | null;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<FetchAnswer>;

export interface FetchAnswer {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** As it comes; only a stream of events takes it. */
  body?: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
}

export interface CallOptions {
  /** 1 to 255 printable characters; without it, each call makes its own. */
  idempotency_key?: string;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path and query, from the root of `base_url`. */
  path: string;
  body?: unknown;
}

export type Request = <T>(call: Call) => Promise<T>;

const BACKOFF_MS = 250;
const BACKOFF_MS_MAX = 8_000;

/**
 * Makes the function that all calls go through. A POST carries an Idempotency-Key of its own making, and PATCH sets
 * fields to given values, so that every call may be repeated.
 * @throws ApiError, NetworkError
 */
export function createRequest(options: RequestOptions): Request {
  const { retries = 3, wait_ms_max = 30_000, sleep = timer } = options;

  return async <T>(call: Call): Promise<T> => {
    const attempt_once = prepare(options, call);
    for (let attempt = 0; ; attempt++) {
      const outcome = await attempt_once();
      if (outcome.ok) return outcome.body as T;
      const { error } = outcome;
      // The answer to the first attempt was lost, but its work was done.
      if (call.method === 'DELETE' && attempt > 0 && isNotFound(error)) return null as T;
      const wait_ms = waitBefore(error, attempt);
      if (attempt >= retries || wait_ms === null || wait_ms > wait_ms_max) throw error;
      await sleep(wait_ms);
    }
  };
}

type Outcome = { ok: true; body: unknown } | { ok: false; error: ApiError | NetworkError };

/** The same request, idempotency key included, for each attempt. */
function prepare(options: RequestOptions, call: Call): () => Promise<Outcome> {
  const { method, path, body, idempotency_key = crypto.randomUUID() } = call;
  const { fetch = globalThis.fetch, timeout_ms = 30_000 } = options;
  const url = `${options.base_url.replace(/\/+$/, '')}${path}`;
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method === 'POST') headers['idempotency-key'] = idempotency_key;
  const json = body === undefined ? null : JSON.stringify(body);

  return async () => {
    try {
      const signal = AbortSignal.timeout(timeout_ms);
      // A redirect is never followed: it would take the key to another address.
      const response = await fetch(url, { method, headers, body: json, signal, redirect: 'manual' });
      return read(response, await response.text(), options.base_url);
    } catch (error) {
      return { ok: false, error: networkError(error, options.base_url) };
    }
  };
}

function read(response: FetchAnswer, text: string, base_url: string): Outcome {
  if (response.ok && text === '') return { ok: true, body: null };
  const body = parse(text);
  if (response.ok && body !== undefined) return { ok: true, body };
  if (response.ok || (response.status < 400 && response.status !== 0)) {
    return { ok: false, error: new NetworkError(`${base_url} answered, but not as this API does.`) };
  }
  return { ok: false, error: answerError(response, text, base_url) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is told apart from JSON by the caller, which knows what it asked for.
    return undefined;
  }
}

/** Section 7; what stands between us and the service may answer without the envelope. */
export function answerError(response: FetchAnswer, content: string, base_url: string): ApiError {
  const fields = record(record(parse(content))['error']);
  const seconds = response.headers.get('retry-after');
  const detail = fields['status_detail'];
  return new ApiError({
    status: response.status,
    code: text(fields['code']) ?? `http_${response.status}`,
    message: text(fields['message']) ?? `${base_url} answered ${response.status}.`,
    fix: text(fields['fix']) ?? 'Check that the base URL is the address of the service.',
    docs: text(fields['docs']) ?? base_url,
    ...(typeof fields['request_id'] === 'string' && { request_id: fields['request_id'] }),
    ...(typeof detail === 'object' && detail !== null && { status_detail: record(detail) }),
    ...(seconds !== null && /^\d{1,6}$/.test(seconds) && { retry_after_s: Number(seconds) }),
  });
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isNotFound(error: Error): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Milliseconds until the next attempt; null when another one would not help. */
function waitBefore(error: ApiError | NetworkError, attempt: number): number | null {
  const ceiling_ms = Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MS_MAX);
  const backoff_ms = ceiling_ms / 2 + (Math.random() * ceiling_ms) / 2;
  if (error instanceof NetworkError) return backoff_ms;
  const passes = error.status === 429 || error.status >= 500 || error.code === 'idempotency_key_in_use';
  if (!passes) return null;
  return error.retry_after_s === undefined ? backoff_ms : error.retry_after_s * 1000;
}

export function networkError(error: unknown, base_url: string): NetworkError {
  return new NetworkError(sentence(error, base_url), { cause: error });
}

/** What went wrong without the request itself, which holds the key. */
function sentence(error: unknown, base_url: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `${base_url} did not answer in time.`;
  const code = record(error)['code'] ?? record(record(error)['cause'])['code'];
  return `Cannot reach ${base_url}${typeof code === 'string' ? ` (${code})` : ''}.`;
}

/** Ends early with the signal. */
export function timer(wait_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timeout = setTimeout(end, wait_ms);
    signal?.addEventListener('abort', end);
  });
}
