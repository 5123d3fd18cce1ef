import { NetworkError } from './client-error.ts';
import {
  errorOfResponse,
  type FetchResponse,
  networkError,
  notStored,
  type RequestOptions,
} from './request.ts';

export interface StreamCall {
  /** Path and query, relative to `baseUrl`. */
  path: string;
  lastEventId: string | undefined;
  /** Milliseconds without a byte after which the connection counts as dead. */
  silenceMsMax: number;
  signal: AbortSignal | undefined;
}

/** Opens a stream of server-sent events. @returns the text in chunks. Opening and reading can throw ApiError or NetworkError. */
export type OpenStream = (call: StreamCall) => Promise<AsyncIterable<string>>;

export function createOpenStream(options: RequestOptions): OpenStream {
  const { baseUrl, fetch = globalThis.fetch, headers } = options;
  const root = baseUrl.replace(/\/+$/, '');
  return async ({ path, lastEventId, silenceMsMax, signal }) => {
    const silence = watchSilence(silenceMsMax);
    const init = {
      method: 'GET',
      headers: {
        accept: 'text/event-stream, application/json',
        ...headers,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      body: null,
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
      redirect: 'manual',
      ...notStored(),
    } as const;
    try {
      const response = await attempt(baseUrl, () => fetch(`${root}${path}`, init));
      const isStream = /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '');
      if (response.ok && isStream && response.body) return textOf(response.body, baseUrl, silence);
      const text = await attempt(baseUrl, () => response.text());
      throw response.ok
        ? new NetworkError(`${baseUrl} responded, but not as this API does.`)
        : errorOfResponse(response, text, baseUrl);
    } catch (error) {
      silence.end();
      throw error;
    }
  };
}

async function* textOf(
  body: NonNullable<FetchResponse['body']>,
  baseUrl: string,
  silence: ReturnType<typeof watchSilence>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const chunks = chunksOf(body);
  try {
    for (;;) {
      const next = await attempt(baseUrl, () => chunks.next());
      if (next.done) return;
      silence.heard();
      yield decoder.decode(next.value, { stream: true });
    }
  } finally {
    silence.end();
    await chunks.return?.();
  }
}

/** Reads a body with a reader if it has one, because streams are not iterable in every runtime. */
async function* chunksOf(
  body: NonNullable<FetchResponse['body']>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!('getReader' in body)) {
    yield* body;
    return;
  }
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

function watchSilence(silenceMsMax: number) {
  const silent = new AbortController();
  const begin = () =>
    setTimeout(() => silent.abort(new DOMException('silent', 'TimeoutError')), silenceMsMax);
  let timer = begin();
  return {
    signal: silent.signal,
    heard() {
      clearTimeout(timer);
      timer = begin();
    },
    end: () => clearTimeout(timer),
  };
}

async function attempt<T>(baseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw networkError(error, baseUrl);
  }
}
