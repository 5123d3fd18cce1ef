import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { createEventReader, type EventsRead, type ReaderOptions } from './event-reader.ts';

export interface FollowOptions extends ReaderOptions {
  /** Waits for at most this long. A request to hurry can end the wait early. */
  pause(waitMs: number): Promise<void>;
  /** Ends the feed. */
  signal: AbortSignal;
}

/** An item of the feed: a response of the API, or the error that prevents one. Times are those of `elapsedMs`. */
export type FeedItem =
  | ({ kind: 'answer'; atMs: number } & EventsRead)
  | { kind: 'retrying'; error: ApiError | NetworkError; untilMs: number }
  | { kind: 'stopped'; error: ApiError };

const POLL_MS = 1_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;

/** Polls the events of an app, and retries after connection losses. Ends when the signal is aborted or the API refuses. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<FeedItem, void, undefined> {
  const { elapsedMs, pause, signal } = options;
  const reader = createEventReader(options);
  let failures = 0;
  while (!signal.aborted) {
    try {
      const read = await reader.read();
      if (signal.aborted) return;
      failures = 0;
      yield { kind: 'answer', atMs: elapsedMs(), ...read };
      await pause(POLL_MS);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
      if (signal.aborted) return;
      const waitMs = waitAfter(error, failures++);
      if (error instanceof ApiError && waitMs === null) {
        yield { kind: 'stopped', error };
        return;
      }
      const untilMs = elapsedMs() + (waitMs ?? 0);
      yield { kind: 'retrying', error, untilMs };
      // A request to hurry may end the wait after a network error. It must not shorten a wait that the API asked for.
      do await pause(untilMs - elapsedMs());
      while (error instanceof ApiError && !signal.aborted && elapsedMs() < untilMs);
    }
  }
}

/** Returns the milliseconds until the next attempt, or null if retrying is useless, as with a refused key. */
function waitAfter(error: ApiError | NetworkError, failures: number): number | null {
  const backoffMs = Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MS_MAX);
  if (error instanceof NetworkError) return backoffMs;
  const isTransient = error.status === 429 || error.status === 408 || error.status >= 500;
  if (!isTransient) return null;
  return Math.max(backoffMs, (error.retry_after_s ?? 0) * 1000);
}
