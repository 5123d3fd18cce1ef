import { createHash } from 'node:crypto';
import { type Client, createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { readCache, writeCache } from '../settings/cache-file.ts';
import { resolveSettings, type Settings, type SettingsFlags } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import type { Candidate } from './candidates.ts';

/** What can be completed from the server. */
export type RemoteSource = 'domains' | 'events' | 'keys';

const CACHE = 'completion';
const KEPT_MS = 30_000;
const ANSWER_MS_MAX = 1_000;

/** From a cache of half a minute, else from the server within a second. What goes wrong is nothing to complete. */
export async function remoteValues(
  source: RemoteSource,
  prefix: string,
  flags: SettingsFlags,
  world: World,
): Promise<Candidate[]> {
  try {
    const settings = await resolveSettings(flags, world);
    const known = (await kept(source, settings, world)).filter(({ value }) => value.startsWith(prefix));
    // Of more domains than a page has, those that are meant may be on a later one.
    if (known.length > 0 || source !== 'domains' || prefix === '') return known;
    return await domains(clientOf(settings), prefix);
  } catch {
    return []; // Nobody reads an error between two presses of a key.
  }
}

async function kept(source: RemoteSource, settings: Settings, world: World): Promise<Candidate[]> {
  // Of the key only a hash is kept, and only a part of it.
  const mark = createHash('sha256')
    .update(`${settings.base_url}\n${settings.api_key}`)
    .digest('hex')
    .slice(0, 16);
  const name = `${source}:${mark}`;
  const now = Date.now();
  const cache = Object.entries(readCache(CACHE, world)).filter(([, entry]) => isFresh(entry, now));
  const found = Object.fromEntries(cache)[name];
  if (isFresh(found, now)) return found.values;
  const values = await FETCHES[source](clientOf(settings)).catch(() => []);
  writeCache(CACHE, { ...Object.fromEntries(cache), [name]: { at: now, values } }, world);
  return values;
}

const FETCHES: Readonly<Record<RemoteSource, (client: Client) => Promise<Candidate[]>>> = {
  domains: (client) => domains(client),
  events: async ({ events }) =>
    (await events.list({ limit: 50 })).data.map(({ id, type, hostname }) => ({
      value: id,
      about: `${type} ${hostname}`,
    })),
  keys: async ({ keys }) =>
    (await keys.list({ limit: 100 })).data.map(({ id, name, mode }) => ({
      value: id,
      about: `${name} (${mode})`,
    })),
};

async function domains(client: Client, hostname?: string): Promise<Candidate[]> {
  const page = await client.domains.list({ limit: 100, ...(hostname !== undefined && { hostname }) });
  return page.data.map((domain) => ({ value: domain.hostname, about: domain.status }));
}

function clientOf({ base_url, api_key }: Settings): Client {
  return createClient({ base_url, api_key, fetch: nodeFetch, retries: 0, timeout_ms: ANSWER_MS_MAX });
}

function isFresh(entry: unknown, now: number): entry is { at: number; values: Candidate[] } {
  if (typeof entry !== 'object' || entry === null || !('at' in entry) || !('values' in entry)) return false;
  const { at, values } = entry;
  const is_list = Array.isArray(values) && values.every((each) => typeof each?.value === 'string');
  return is_list && typeof at === 'number' && at <= now && now - at < KEPT_MS;
}
