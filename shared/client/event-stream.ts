import type { EventResource, StreamEventsQuery } from '../schema/event.ts';
import { ApiError, NetworkError } from './client-error.ts';
import {
  errorOfResponse,
  type FetchResponse,
  networkError,
  notStored,
  type RequestOptions,
} from './request.ts';

export interface FollowEventsOptions extends StreamEventsQuery {
  /** The id of the event after which to continue. If this is not set, only new events are returned. */
  lastEventId?: string | undefined;
  /** Ends the stream when the signal aborts. */
  signal?: AbortSignal | undefined;
  /** Called with the error when the connection is lost, and with null when it is back. */
  onConnection?: ((lost: ApiError | NetworkError | null) => void) | undefined;
}

const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 30_000;
/**
 * After a connection of at least this duration, the delay before the next attempt is short again. Received frames are no evidence that a
 * connection works, because a server may send some and close the stream each time.
 */
const STABLE_MS = 30_000;
/** After a longer silence, the connection is treated as dead. A working server sends something every 15 seconds. */
const SILENCE_MS_MAX = 40_000;
const REMEMBERED_MAX = 10_000;

/**
 * Follows the events of an app over `GET /v1/events/stream`. Yields each event once and reconnects after a lost connection.
 * @throws ApiError if the server refuses the key, a filter, or a `lastEventId` whose event it no longer has.
 */
export async function* followEventStream(
  open: OpenStream,
  path: string,
  sleep: (waitMs: number, signal?: AbortSignal) => Promise<void>,
  options: FollowEventsOptions = {},
): AsyncGenerator<EventResource, void, undefined> {
  const { signal, onConnection } = options;
  const remembered = new Set<string>();
  let position = options.lastEventId;
  let ends = 0;
  let isLost = false;
  while (!signal?.aborted) {
    let askedMs = 0;
    const startedAt = Date.now();
    try {
      const chunks = await open({ path, silenceMsMax: SILENCE_MS_MAX, signal, lastEventId: position });
      if (isLost) onConnection?.(null);
      isLost = false;
      for await (const { id, data } of readFrames(chunks)) {
        if (id !== null) position = id;
        if (data === null) continue;
        const event = JSON.parse(data) as EventResource;
        if (remembered.has(event.id)) continue;
        remembered.add(event.id);
        if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.values().next().value ?? '');
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
      if (!isLost) onConnection?.(error);
      isLost = true;
      if (error instanceof ApiError) askedMs = (error.retry_after_s ?? 0) * 1000;
    }
    if (Date.now() - startedAt >= STABLE_MS) ends = 0;
    await sleep(Math.max(askedMs, Math.min(BACKOFF_MS * 2 ** ends++, BACKOFF_MS_MAX)), signal);
  }
}

interface Frame {
  id: string | null;
  data: string | null;
}

/** Parses server-sent events (HTML standard, section 9.2.6). Supports only what this API uses of the format. */
export async function* readFrames(chunks: AsyncIterable<string>): AsyncGenerator<Frame, void, undefined> {
  let text = '';
  for await (const chunk of chunks) {
    // The replacement runs over all text so far, because a chunk may end between \r and \n.
    text = (text + chunk).replaceAll('\r\n', '\n');
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield frameOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function frameOf(block: string): Frame {
  const frame: Frame = { id: null, data: null };
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(id|data): ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') frame.id = value;
    if (name === 'data') frame.data = frame.data === null ? value : `${frame.data}\n${value}`;
  }
  return frame;
}

export interface StreamCall {
  /** Path and query, relative to `baseUrl`. */
  path: string;
  lastEventId: string | undefined;
  /** After this many milliseconds without a byte, the connection is treated as dead. */
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

/** Yields the chunks of a body. Uses a reader if the body has one, because streams are not iterable in every runtime. */
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
