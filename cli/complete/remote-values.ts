import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { type CliSettings, resolveSettings, type SettingsFlags } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import type { Candidate } from './candidates.ts';

/** The kinds of completion values that come from the server. */
export type RemoteSource = 'domains' | 'events' | 'keys';

const CACHE = 'completion';
const MAX_AGE_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 1_000;

/**
 * Returns completion values from a cache that lasts 30 seconds. If the cache has none, asks the server for at most a second. Returns no
 * values on any error.
 */
export async function remoteValues(
  source: RemoteSource,
  prefix: string,
  flags: SettingsFlags,
  world: World,
): Promise<Candidate[]> {
  try {
    const settings = await resolveSettings(flags, world);
    const known = (await cachedValues(source, settings, world)).filter(({ value }) =>
      value.startsWith(prefix),
    );
    // If the app has more domains than one page, ask the server for the domains that begin with the typed prefix.
    if (known.length > 0 || source !== 'domains' || prefix === '') return known;
    return await domains(clientOf(settings), prefix);
  } catch {
    return []; // An error message would disturb the line that is being typed.
  }
}

async function cachedValues(source: RemoteSource, settings: CliSettings, world: World): Promise<Candidate[]> {
  // The cache file identifies the API key only by a part of its hash.
  const mark = createHash('sha256')
    .update(`${settings.baseUrl}\n${settings.apiKey}`)
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

function clientOf({ baseUrl, apiKey }: CliSettings): Client {
  return createClient({ baseUrl, apiKey, fetch: nodeFetch, retries: 0, timeoutMs: RESPONSE_TIMEOUT_MS });
}

function isFresh(entry: unknown, now: number): entry is { at: number; values: Candidate[] } {
  if (typeof entry !== 'object' || entry === null || !('at' in entry) || !('values' in entry)) return false;
  const { at, values } = entry;
  const isList = Array.isArray(values) && values.every((each) => typeof each?.value === 'string');
  return isList && typeof at === 'number' && at <= now && now - at < MAX_AGE_MS;
}

/** Reads a small JSON cache file. Returns an empty object if the file is missing or broken. */
export function readCache(name: string, world: World): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(name, world), 'utf8'));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Replaces a cache file atomically; only its owner can read it. Ignores errors, because the cache only saves time. */
export function writeCache(name: string, content: Record<string, unknown>, world: World): void {
  const file = fileOf(name, world);
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The disk is full or read-only, so the next completion asks the server again.
  }
}

function fileOf(name: string, { env }: World): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = env;
  const home = HOME || homedir();
  const folder =
    XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)
      ? XDG_CACHE_HOME
      : process.platform === 'win32' && LOCALAPPDATA
        ? LOCALAPPDATA
        : path.join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  return path.join(folder, 'nameplate', `${name}.json`);
}
