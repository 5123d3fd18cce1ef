import { option, string } from '@oclif/core/flags';
import type { Client } from '../../shared/client/client.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { timer } from '../../shared/client/request.ts';
import { EVENT_TYPES, type EventType } from '../../shared/core/webhooks/event.ts';
import { isTransient } from '../arguments/explain-api-error.ts';
import { resolveDomainId } from '../arguments/find-domain.ts';
import { readInstant, type SinceInstant } from '../arguments/read-values.ts';
import { serverNowMs } from '../emulator/clock-ahead.ts';
import { followingClient } from '../settings/following-client.ts';
import type { CliSettings } from '../settings/settings.ts';
import { createEventReader, type EventsRead, type ReaderOptions } from './event-reader.ts';
import type { Pacer } from './pacer.ts';

export interface FollowOptions extends ReaderOptions {
  /** Waits for at most `waitMs`. A call of the pacer's `hurry` ends the wait early. */
  pause(waitMs: number): Promise<void>;
  /** Ends the feed when it is aborted. */
  signal: AbortSignal;
}

/** An item of the feed: a response of the API, or the error that prevents one. Times are in milliseconds of a monotonic clock. */
export type FeedItem =
  | ({ kind: 'answer'; atMs: number } & EventsRead)
  | { kind: 'retrying'; error: ApiError | NetworkError; untilMs: number }
  | { kind: 'stopped'; error: ApiError };

const POLL_MS = 1_000;
const BACKOFF_MS = 1_000;
const BACKOFF_MS_MAX = 30_000;

/**
 * Polls the events of an app, and retries after connection losses. Ends when the signal is aborted, or when the API returns an error that
 * retrying cannot solve.
 */
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
      // A new event may end the wait after a network error, but must not shorten a wait that the API has asked for.
      do await pause(untilMs - elapsedMs());
      while (error instanceof ApiError && !signal.aborted && elapsedMs() < untilMs);
    }
  }
}

/** Returns the milliseconds until the next attempt, or null if retrying is useless, as with a refused key. */
function waitAfter(error: ApiError | NetworkError, failures: number): number | null {
  const backoffMs = Math.min(BACKOFF_MS * 2 ** failures, BACKOFF_MS_MAX);
  if (error instanceof NetworkError) return backoffMs;
  if (!isTransient(error)) return null;
  return Math.max(backoffMs, (error.retry_after_s ?? 0) * 1000);
}

/** The flags of the commands that follow events. */
export const feedFlags = {
  type: option({ summary: 'Only events of this type', options: EVENT_TYPES })(),
  domain: string({ summary: 'Only events of this domain', helpValue: '<host or id>' }),
  since: string({ summary: 'Start with events created since then', helpValue: '<duration or time>' }),
};

/** The events that a command follows, as the flags choose them. */
export interface FeedChoice {
  type: EventType | undefined;
  /** A domain, by its hostname or its id. */
  domain: string | undefined;
  /** The time of the first event to show; null shows the newest `backlog` events first. */
  since: SinceInstant | null;
  backlog: number;
}

/** Reads the values of `feedFlags`. @throws CliError `usage` */
export function feedChoice({
  type,
  domain,
  since,
}: { type: EventType | undefined } & Record<'domain' | 'since', string | undefined>): FeedChoice {
  return { type, domain, since: since === undefined ? null : readInstant(since), backlog: 0 };
}

interface FeedOptions {
  settings: CliSettings;
  /** The client that finds the id of the domain. */
  client: Client;
  pacer: Pacer;
  elapsedMs(): number;
}

/**
 * Follows the events of the app until the pacer stops. Returns the feed's items, the API query, and the `events` functions that read them.
 * `hurried` resolves once the server's event stream no longer wakes the poller.
 * @throws ApiError, NetworkError; CliError if there is no such domain.
 */
export async function openFeed(
  { type, domain, since, backlog }: FeedChoice,
  { settings, client, pacer, elapsedMs }: FeedOptions,
) {
  const domainId = domain === undefined ? undefined : await resolveDomainId(domain, client);
  const following = followingClient(settings, pacer.signal);
  const query: ReaderOptions['query'] = {
    ...(type !== undefined && { type }),
    ...(domainId !== undefined && { domain_id: domainId }),
  };
  const items = followEvents({
    source: following.events,
    query,
    since: since === null ? null : since(await serverNowMs(settings)),
    backlog,
    elapsedMs,
    pause: pacer.pause,
    signal: pacer.signal,
  });
  return { items, query, events: following.events, hurried: wakeOnEvents(following, pacer) };
}

/** The pause before a new stream is opened, so that a server that refuses every stream does not get requests in a tight loop. */
const RESTART_MS = 1_000;

/**
 * Ends the poller's pauses as soon as the server's event stream announces an event. The poller then reads the event from the event list.
 * Without a stream, it polls at its normal interval. Returns when the pacer stops or the server refuses the stream. Never rejects with an
 * `ApiError`.
 */
export async function wakeOnEvents(client: Pick<Client, 'events'>, { hurry, signal }: Pacer): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const _ of client.events.follow({ signal })) hurry();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // 422 means that the position to resume from is unknown, for example after an emulator reset: start a new stream.
      if (error.status !== 422) return;
      await timer(RESTART_MS, signal);
    }
  }
}
