import { type Client, createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';
import type { Settings } from './settings.ts';

/** Also what tells a connection that died while the machine slept. */
const ANSWER_TIMEOUT_MS = 15_000;

/** The client of what follows the API: it says itself when it tries again, and what is under way ends with the command. */
export function followingClient({ base_url, api_key }: Settings, signal: AbortSignal): Client {
  const fetch: Fetch = (url, init) =>
    nodeFetch(url, { ...init, signal: AbortSignal.any([init.signal, signal]) });
  return createClient({ base_url, api_key, fetch, retries: 0, timeout_ms: ANSWER_TIMEOUT_MS });
}
