import type { Client } from '../../shared/client/client.ts';
import type { EventType } from '../../shared/core/webhooks/event.ts';
import { resolveDomainId } from '../arguments/find-domain.ts';
import { followingClient } from '../settings/following-client.ts';
import type { CliSettings } from '../settings/settings.ts';
import { wakeOnEvents } from '../wake-on-events.ts';
import type { ReaderOptions } from './event-reader.ts';
import { followEvents } from './follow-events.ts';
import type { Pacer } from './pacer.ts';
import { type SinceInstant, serverNowMs } from './since.ts';

/** The choice of events that a command follows. */
export interface FeedChoice {
  type: EventType | undefined;
  /** A hostname or an id. */
  domain: string | undefined;
  /** The first instant to read; null for the newest `backlog` events. */
  since: SinceInstant | null;
  backlog: number;
}

interface FeedOptions {
  settings: CliSettings;
  /** Looks the domain up. */
  client: Client;
  pacer: Pacer;
  elapsedMs(): number;
}

/**
 * Starts to follow the events of the app until the pacer stops. Returns the items, the query for the API, and `hurried`, which resolves
 * when the server's stream can no longer hurry the feed. @throws ApiError, NetworkError; CliError if there is no such domain.
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
  return { items, query, hurried: wakeOnEvents(following, pacer) };
}
