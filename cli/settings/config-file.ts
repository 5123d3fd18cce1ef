import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'smol-toml';
import { tryFileLock } from '../../shared/adapters/file-lock.ts';
import { decodeText } from '../../shared/core/text/decode-text.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { World } from './world.ts';

/** The user's own config file. Each profile holds a server and a key. */
export interface UserConfig {
  /** The name of the profile in use. */
  profile: string;
  profiles: Record<string, Profile>;
}

/** An API key, and the only server address to which the key is sent. */
export interface Profile {
  base_url: string;
  api_key: string;
}

/**
 * The project's config file, `./.nameplate/config.toml`. The CLI trusts this file less, because the folder may come from someone else
 * (`settings.ts`).
 */
export interface ProjectConfig {
  profile?: string;
  base_url?: string;
  api_key?: string;
}

export const DEFAULT_PROFILE = 'default';

export function userConfigFile({ env }: World): string {
  const folder =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && env.APPDATA) ||
    path.join(env.HOME || homedir(), '.config');
  return path.join(folder, 'nameplate', 'config.toml');
}

export function projectConfigFile({ cwd }: World): string {
  return path.join(cwd, '.nameplate', 'config.toml');
}

export function readUserConfig(world: World): UserConfig {
  const file = userConfigFile(world);
  const table = readToml(file);
  const profiles: Record<string, Profile> = Object.create(null);
  for (const [name, entry] of Object.entries(asRecord(table.profiles))) {
    const { base_url, api_key } = asRecord(entry);
    if (typeof base_url === 'string' && typeof api_key === 'string') profiles[name] = { base_url, api_key };
  }
  return { profile: typeof table.profile === 'string' ? table.profile : DEFAULT_PROFILE, profiles };
}

/**
 * Reads the user's config file, applies `change` and replaces the file atomically. Only the owner can read the file. A lock prevents
 * concurrent changes from overwriting each other.
 *
 * @param change returns the new content.
 * @throws CliError `config_unreadable`, `config_locked`, or any error of `change`. After an error, the file is unchanged.
 */
export async function changeUserConfig(
  world: World,
  change: (config: UserConfig) => UserConfig,
): Promise<void> {
  const file = userConfigFile(world);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  await underFileLock(file, world, () => {
    const { profile, profiles } = change(readUserConfig(world));
    const draft = `${file}.${process.pid}`;
    rmSync(draft, { force: true });
    writeFileSync(draft, stringify({ profile, profiles: { ...profiles } }), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  });
}

/** @throws CliError `unknown_profile` */
export function profileNamed(name: string, { profiles }: UserConfig): Profile {
  const profile = profiles[name];
  if (profile) return profile;
  throw new CliError('unknown_profile', `There is no profile "${name}".`, {
    fix: 'Run nameplate profiles list to see your profiles, or nameplate login --profile to create one.',
  });
}

export function readProjectConfig(world: World): ProjectConfig {
  const table = readToml(projectConfigFile(world));
  const config: ProjectConfig = {};
  for (const name of ['profile', 'base_url', 'api_key'] as const) {
    const value = table[name];
    if (typeof value === 'string') config[name] = value;
  }
  return config;
}

/** Returns true if other users can read the API keys in the user's config file. */
export function isOpenToOthers(world: World): boolean {
  if (process.platform === 'win32') return false;
  const stat = statSync(userConfigFile(world), { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & 0o077) !== 0;
}

function readToml(file: string): Record<string, unknown> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return {};
    throw unreadable(file, 'cannot be read', error);
  }
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw unreadable(file, decoded.problem, null);
  try {
    return parse(decoded.text);
  } catch (error) {
    // The parser's own message quotes the lines around the error, which may contain keys.
    const line = asRecord(error).line;
    throw unreadable(file, `is not valid TOML${typeof line === 'number' ? ` (line ${line})` : ''}`, error);
  }
}

function unreadable(file: string, reason: string, cause: unknown): CliError {
  return new CliError('config_unreadable', `${file} ${reason}.`, {
    fix: 'Correct the file, or remove it.',
    cause,
  });
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * Removes a stored profile with its key. If the removed profile was in use, selects the default profile.
 *
 * @throws CliError `unknown_profile`
 */
export async function removeProfile(name: string, world: World): Promise<void> {
  await changeUserConfig(world, (config) => {
    profileNamed(name, config);
    const { [name]: _removed, ...profiles } = config.profiles;
    return { profiles, profile: config.profile === name ? DEFAULT_PROFILE : config.profile };
  });
}

/** Work under the lock takes milliseconds, so a lock older than this belongs to a crashed process. */
const STALE_MS = 5_000;
const WAIT_MS_MAX = 10_000;
const PAUSE_MS = 20;

/**
 * Runs `work` while no other process holds the lock on `file`. `work` is synchronous, so that the lock is held for milliseconds only.
 *
 * @throws CliError `config_locked` if other processes hold the lock for ten seconds.
 */
export async function underFileLock<T>(file: string, world: World, work: () => T): Promise<T> {
  const release = await takeLock(file, world);
  try {
    return work();
  } finally {
    release();
  }
}

async function takeLock(file: string, world: World): Promise<() => void> {
  const lock = `${file}.lock`;
  const startedAt = world.elapsedMs();
  for (;;) {
    const release = tryFileLock(lock, { now: Date.now(), staleMs: STALE_MS });
    if (release !== null) return release;
    if (world.elapsedMs() - startedAt > WAIT_MS_MAX) throw locked(file, lock);
    await world.sleep(PAUSE_MS);
  }
}

function locked(file: string, lock: string): CliError {
  return new CliError('config_locked', `Another process is writing ${file}.`, {
    fix: `Try again. If no other nameplate command is running, remove the folder ${lock}.`,
  });
}
