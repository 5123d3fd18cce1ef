import { type Client, createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';
import type { CliSettings } from './settings.ts';

/** The timeout of a request. It also detects a connection that was lost while the machine slept. */
const RESPONSE_TIMEOUT_MS = 15_000;

/**
 * Creates the client for commands that follow events. The client does not retry, because its callers do. The signal aborts the client's
 * requests.
 */
export function followingClient({ baseUrl, apiKey }: CliSettings, signal: AbortSignal): Client {
  const fetch = fetchUntil(signal);
  return createClient({ baseUrl, apiKey, fetch, retries: 0, timeoutMs: RESPONSE_TIMEOUT_MS });
}

/** Returns a `fetch` whose requests are aborted by the signal. */
export function fetchUntil(signal: AbortSignal): Fetch {
  return (url, init) => nodeFetch(url, { ...init, signal: AbortSignal.any([init.signal, signal]) });
}
