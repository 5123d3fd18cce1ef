import { ApiError, NetworkError } from './client-error.ts';

/** Options for calls over `fetch`, with their deadlines and retries. */
export interface RequestOptions {
  /** URL of the API without `/v1`. */
  baseUrl: string;
  /** Headers of every request. */
  headers: Record<string, string>;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Number of retries after the first attempt. Default 3; 0 turns them off. */
  retries?: number | undefined;
  /** Deadline of one attempt in milliseconds. Default 30 000, because the service may probe an origin in the meantime. */
  timeoutMs?: number | undefined;
  /** Longest `Retry-After` to wait for, in milliseconds. With a longer `Retry-After`, the error is thrown at once. Default 30 000. */
  maxWaitMs?: number | undefined;
  /** Replaces the timer in tests. */
  sleep?: ((waitMs: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** The part of the `fetch` interface that a request needs. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | null;
    signal: AbortSignal;
    redirect: 'manual';
    cache?: 'no-store';
  },
) => Promise<FetchResponse>;

export interface FetchResponse {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** The body as a stream. Used only for the stream of events. */
  body?: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
}

export interface CallOptions {
  /** The idempotency key: 1 to 255 printable characters. By default, each call creates its own key. */
  idempotencyKey?: string | undefined;
  /** Ends the call, also between two attempts. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path and query, relative to `baseUrl`. */
  path: string;
  body?: unknown;
}

export type Request = <T>(call: Call) => Promise<T>;

const BACKOFF_MS = 250;
const BACKOFF_MS_MAX = 8_000;

/**
 * Creates the function that makes all calls. It can repeat every call safely, because a POST has an Idempotency-Key, and a PATCH sets
 * fields to given values.
 * @throws ApiError, NetworkError
 */
export function createRequest(options: RequestOptions): Request {
  const { retries = 3, maxWaitMs = 30_000, sleep = timer } = options;

  return async <T>(call: Call): Promise<T> => {
    const attemptOnce = prepare(options, call);
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      const outcome = await attemptOnce();
      if (outcome.ok) return outcome.body as T;
      const { problem } = outcome;
      // The resource is gone because an earlier attempt deleted it, but the response was lost.
      if (call.method === 'DELETE' && attempt > 0 && isNotFound(problem)) return null as T;
      const waitMs = waitBefore(problem, attempt);
      if (attempt >= retries || waitMs === null || waitMs > maxWaitMs) throw problem;
      await sleep(waitMs, call.signal);
    }
  };
}

type Outcome = { ok: true; body: unknown } | { ok: false; problem: ApiError | NetworkError };

/** Builds a request once. Each attempt sends the same request, with the same idempotency key. */
function prepare(options: RequestOptions, call: Call): () => Promise<Outcome> {
  const { method, path, body, idempotencyKey } = call;
  const { fetch = globalThis.fetch, timeoutMs = 30_000 } = options;
  const url = `${options.baseUrl.replace(/\/+$/, '')}${path}`;
  const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Only a POST gets an idempotency key, because making a key loads Node's cryptography, which takes 3 ms.
  if (method === 'POST') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
  const json = body === undefined ? null : JSON.stringify(body);

  return async () => {
    try {
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
      // Redirects are never followed, because they would send the key to another host.
      const init = { method, headers, body: json, signal, redirect: 'manual', ...notStored() } as const;
      const response = await fetch(url, init);
      return read(response, await response.text(), options.baseUrl);
    } catch (error) {
      call.signal?.throwIfAborted();
      return { ok: false, problem: networkError(error, options.baseUrl) };
    }
  };
}

function read(response: FetchResponse, text: string, baseUrl: string): Outcome {
  if (response.ok && text === '') return { ok: true, body: null };
  const body = parse(text);
  if (response.ok && body !== undefined) return { ok: true, body };
  if (response.ok || (response.status < 400 && response.status !== 0)) {
    return { ok: false, problem: new NetworkError(`${baseUrl} responded, but not as this API does.`) };
  }
  return { ok: false, problem: errorOfResponse(response, text, baseUrl) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller handles text that is not JSON.
    return undefined;
  }
}

/** Creates the error of a response (`docs/api.md#errors`). A proxy in front of the service may respond without the envelope. */
export function errorOfResponse(response: FetchResponse, content: string, baseUrl: string): ApiError {
  const fields = record(record(parse(content))['error']);
  const seconds = response.headers.get('retry-after');
  const detail = fields['status_detail'];
  return new ApiError({
    status: response.status,
    code: text(fields['code']) ?? `http_${response.status}`,
    message: text(fields['message']) ?? `${baseUrl} responded with ${response.status}.`,
    fix: text(fields['fix']) ?? 'Check that the base URL is the URL of the API.',
    docs: text(fields['docs']) ?? baseUrl,
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

/** Returns the milliseconds until the next attempt; null if another attempt would not help. */
function waitBefore(error: ApiError | NetworkError, attempt: number): number | null {
  const ceilingMs = Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MS_MAX);
  const backoffMs = ceilingMs / 2 + (Math.random() * ceilingMs) / 2;
  if (error instanceof NetworkError) return backoffMs;
  const passes = error.status === 429 || error.status >= 500 || error.code === 'idempotency_key_in_use';
  if (!passes) return null;
  return error.retry_after_s === undefined ? backoffMs : error.retry_after_s * 1000;
}

/**
 * Returns the option that keeps a framework such as Next.js from storing a response. Returns no option in Cloudflare Workers from before
 * November 2024, which refuse it.
 */
export function notStored(): { cache?: 'no-store' } {
  const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers';
  return isWorker && !('cache' in Request.prototype) ? {} : { cache: 'no-store' };
}

/**
 * Converts an error of `fetch`. @throws the error itself if it has a `digest`, because Next.js stops rendering a page with such an error
 * and expects to catch it.
 */
export function networkError(error: unknown, baseUrl: string): NetworkError {
  if (typeof record(error)['digest'] === 'string') throw error;
  return new NetworkError(sentence(error, baseUrl), { cause: error });
}

/** Describes the failure without the request, which contains the key. */
function sentence(error: unknown, baseUrl: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `${baseUrl} did not respond in time.`;
  const code = record(error)['code'] ?? record(record(error)['cause'])['code'];
  return `Cannot reach ${baseUrl}${typeof code === 'string' ? ` (${code})` : ''}.`;
}

/** Resolves after the given time, or as soon as the signal aborts. */
export function timer(waitMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timeout = setTimeout(end, waitMs);
    signal?.addEventListener('abort', end);
  });
}

/** Returns whether a path, after any `..` in it is resolved, leads to an endpoint of the API. The path may have a query. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/v1/') && new URL(path, 'http://api.invalid').pathname.startsWith('/v1/');
}
