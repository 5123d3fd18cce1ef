import type { EventResource, StreamEventsQuery } from '../schema/event.ts';
import { ApiError, NetworkError } from './client-error.ts';
import type { OpenStream } from './open-stream.ts';

export interface FollowEventsOptions extends StreamEventsQuery {
  /** The event after which to continue. If it is not set, only new events are returned. */
  lastEventId?: string | undefined;
  /** Ends the stream when the signal aborts. */
  signal?: AbortSignal | undefined;
  /** Called with the error when the connection is lost, and with null when it is back. */
  onConnection?: ((lost: ApiError | NetworkError | null) => void) | undefined;
}

const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 30_000;
/** A connection that lasted this long worked, so the next delay is short again. A stream may send frames and still end at once, each time. */
const STABLE_MS = 30_000;
/** The server sends something every 15 seconds. After a longer silence than this, the connection is dead. */
const SILENCE_MS_MAX = 40_000;
const REMEMBERED_MAX = 10_000;

/**
 * Follows the events of an app over `GET /v1/events/stream`. Yields each event once and reconnects after a lost connection.
 * @throws ApiError if the server refuses the key, a filter, or a `lastEventId` that it no longer has.
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

/** Parses server-sent events (HTML standard, section 9.2.6), as far as this API uses the format. */
export async function* readFrames(chunks: AsyncIterable<string>): AsyncGenerator<Frame, void, undefined> {
  let text = '';
  for await (const chunk of chunks) {
    // A chunk may end between \r and \n.
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
