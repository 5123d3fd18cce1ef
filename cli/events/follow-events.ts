import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { createEventReader, type EventsRead, type ReaderOptions } from './event-reader.ts';

export interface FollowOptions extends ReaderOptions {
  /** Waits so long, or shorter when something asks to look at once. */
  pause(wait_ms: number): Promise<void>;
  /** Ends it. */
  signal: AbortSignal;
}

/** What following the events tells: answers of the API, and what keeps them away. Times are of `elapsed_ms`. */
export type FeedItem =
  | ({ kind: 'answer'; at_ms: number } & EventsRead)
  | { kind: 'retrying'; error: ApiError | NetworkError; until_ms: number }
  | { kind: 'stopped'; error: ApiError };

const POLL_MS = 1_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;

/** Follows the events of an app by polling, through losses of the connection, until it is ended or the API refuses. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<FeedItem, void, undefined> {
  const { elapsed_ms, pause, signal } = options;
  const reader = createEventReader(options);
  let failures = 0;
  while (!signal.aborted) {
    const read = await attempt(() => reader.read());
    if (signal.aborted) return;
    if ('events' in read) {
      failures = 0;
      yield { kind: 'answer', at_ms: elapsed_ms(), ...read };
      await pause(POLL_MS);
      continue;
    }
    const { error } = read;
    const wait_ms = waitAfter(error, failures++);
    if (error instanceof ApiError && wait_ms === null) {
      yield { kind: 'stopped', error };
      return;
    }
    const until_ms = elapsed_ms() + (wait_ms ?? 0);
    yield { kind: 'retrying', error, until_ms };
    // Whoever hurries knows of a server that is there again, and of none that would take more than it said.
    do await pause(until_ms - elapsed_ms());
    while (error instanceof ApiError && !signal.aborted && elapsed_ms() < until_ms);
  }
}

async function attempt(
  read: () => Promise<EventsRead>,
): Promise<EventsRead | { error: ApiError | NetworkError }> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError) return { error };
    throw error;
  }
}

/** Milliseconds until it makes sense to ask again; null when it never does: a refused key stays refused. */
function waitAfter(error: ApiError | NetworkError, failures: number): number | null {
  const backoff_ms = Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MS_MAX);
  if (error instanceof NetworkError) return backoff_ms;
  const passes = error.status === 429 || error.status === 408 || error.status >= 500;
  if (!passes) return null;
  return Math.max(backoff_ms, (error.retry_after_s ?? 0) * 1000);
}
