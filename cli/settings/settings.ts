import { findRunningEmulators } from '../../emulator/registry.ts';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import { type EmulatorTarget, emulatorOfFolder } from '../emulator/emulator-choice.ts';
import { CliError } from '../runtime/cli-error.ts';
import { baseUrl, DEFAULT_BASE_URL } from './base-url.ts';
import {
  DEFAULT_PROFILE,
  isOpenToOthers,
  profileNamed,
  readProjectConfig,
  readUserConfig,
  type UserConfig,
  userConfigFile,
} from './config-file.ts';
import type { World } from './world.ts';

/** The server and the key that a command uses, and where both came from. */
export interface CliSettings {
  baseUrl: string;
  apiKey: string;
  mode: 'live' | 'test';
  /** The profile that the key is stored in; null if the key came from elsewhere. */
  profile: string | null;
  baseUrlFrom: string;
  apiKeyFrom: string;
  /** The running emulator that the command found; null if the address came from elsewhere. */
  emulator: EmulatorTarget | null;
}

export interface SettingsFlags {
  profile?: string | undefined;
  'base-url'?: string | undefined;
  /** True for JSON output, without notes for people. */
  json?: boolean | undefined;
  /** A jq program to run on the JSON output. It implies `json`. */
  jq?: string | undefined;
}

interface Found {
  value: string;
  from: string;
  profile?: string;
}

const PROJECT_FILE = './.nameplate/config.toml';

/**
 * Resolves the server and the key. The order is: flag, environment, `./.nameplate/config.toml`, the user's config, the emulator of this
 * folder, the default address. A key from the user's config is sent only to the address that was stored with the key. An address from a
 * flag, the environment or the project's file therefore selects the profile with that address. To override this, name both profile and
 * address.
 * @throws CliError `no_api_key`, `several_emulators`, `unknown_profile`, `untrusted_address`, `usage`
 */
export async function resolveSettings(flags: SettingsFlags, world: World): Promise<CliSettings> {
  const sources = readSources(flags, world);
  const namedUrl = sources.baseUrl;
  const key = sources.apiKey ?? storedKey(sources, namedUrl);
  if (key) {
    refuseUntrusted(sources, key);
    const knownUrl = namedUrl ?? sources.urlOf(key);
    if (knownUrl) return settings(key, knownUrl);
    const target = await emulatorOfFolder(world);
    return settings(key, target ? urlOfEmulator(target) : defaultUrl(), target);
  }
  if (namedUrl === undefined) {
    const target = await emulatorOfFolder(world);
    if (target === null) throw noKey(namedUrl);
    return settings(keyOfEmulator(target), urlOfEmulator(target), target);
  }
  const emulator = (await findRunningEmulators(world.env)).find(({ url }) =>
    isSameAddress(namedUrl.value, url),
  );
  if (emulator === undefined) throw noKey(namedUrl);
  return settings(keyOfEmulator({ emulator }), namedUrl, { emulator, others: 0 });
}

/** Returns a warning if other users can read the user's config file, else null. */
export function configWarning(world: World): string | null {
  return isOpenToOthers(world)
    ? `Warning: other users can read the keys in ${userConfigFile(world)}. Run chmod 600 on it.`
    : null;
}

interface Sources {
  user: UserConfig;
  /** The address from a flag, the environment, the project or a named profile. */
  baseUrl: Found | undefined;
  apiKey: Found | undefined;
  urlOf(key: Found): Found | undefined;
}

function readSources(flags: SettingsFlags, world: World): Sources {
  const { NAMEPLATE_API_KEY, NAMEPLATE_BASE_URL, NAMEPLATE_PROFILE } = world.env;
  const user = readUserConfig(world);
  const project = readProjectConfig(world);
  const byFlag = flags.profile === undefined ? undefined : profileNamed(flags.profile, user);
  const byEnv = NAMEPLATE_PROFILE ? profileNamed(NAMEPLATE_PROFILE, user) : undefined;
  const byProject = project.profile === undefined ? undefined : profileNamed(project.profile, user);

  const address = first(
    found(flags['base-url'], '--base-url'),
    found(byFlag?.base_url, '--profile'),
    found(NAMEPLATE_BASE_URL, 'NAMEPLATE_BASE_URL'),
    found(byEnv?.base_url, 'NAMEPLATE_PROFILE'),
    found(byProject?.base_url ?? project.base_url, PROJECT_FILE),
  );
  const apiKey = first(
    found(byFlag?.api_key, '--profile', flags.profile),
    found(NAMEPLATE_API_KEY, 'NAMEPLATE_API_KEY'),
    found(byEnv?.api_key, 'NAMEPLATE_PROFILE', NAMEPLATE_PROFILE),
    found(project.api_key, PROJECT_FILE),
    // The project's file may choose the profile, but the profile's key is still sent only to the profile's own address.
    byProject && address && isSameAddress(byProject.base_url, address.value)
      ? found(byProject.api_key, PROJECT_FILE, project.profile)
      : undefined,
  );
  return {
    user,
    baseUrl: address && { ...address, value: baseUrl(address.value, address.from) },
    apiKey,
    urlOf(key) {
      const profile = user.profiles[key.profile ?? user.profile];
      return found(profile?.base_url, userConfigFile(world));
    },
  };
}

/** Returns the key of the profile in use if no address was named, else the key of the profile with that address. */
function storedKey({ user }: Sources, url: Found | undefined): Found | undefined {
  const inUse = user.profiles[user.profile];
  if (inUse && (url === undefined || isSameAddress(inUse.base_url, url.value))) {
    return { value: inUse.api_key, from: 'the profile in use', profile: user.profile };
  }
  if (url === undefined) return undefined;
  const match = Object.entries(user.profiles).find(([, profile]) =>
    isSameAddress(profile.base_url, url.value),
  );
  return match && { value: match[1].api_key, from: 'the profile of this address', profile: match[0] };
}

/**
 * Throws if the user's own key would be sent to a server that only the project's file names. Someone else may have written that file
 * (decision 11).
 */
function refuseUntrusted({ user, baseUrl: url }: Sources, key: Found): void {
  if (url?.from !== PROJECT_FILE || key.from === PROJECT_FILE) return;
  if (isLoopbackHost(new URL(url.value).hostname)) return;
  const stored = key.profile === undefined ? undefined : user.profiles[key.profile];
  if (stored && isSameAddress(stored.base_url, url.value)) return;
  throw new CliError(
    'untrusted_address',
    `${PROJECT_FILE} names the server ${url.value}. The key from ${key.from} is not sent there without your consent.`,
    { fix: `If the key is for that server, add --base-url ${url.value}, or set NAMEPLATE_BASE_URL.` },
  );
}

function noKey(url: Found | undefined): CliError {
  return new CliError(
    'no_api_key',
    url
      ? `No API key is stored for ${url.value} (${url.from}).`
      : 'No API key is set, and no emulator is running.',
    { fix: 'Run nameplate login, set NAMEPLATE_API_KEY, or run nameplate emulator start.' },
  );
}

/** @throws CliError `no_api_key` for a malformed key. The value may be another secret, so it is neither sent nor printed. */
function settings(key: Found, url: Found, target: EmulatorTarget | null = null): CliSettings {
  if (!/^sk_(live|test)_[0-9A-Za-z]+$/.test(key.value)) {
    throw new CliError('no_api_key', `The value from ${key.from} is not an API key.`, {
      fix: 'Keys start with sk_live_ or sk_test_. Set it again, or run nameplate login.',
    });
  }
  return {
    baseUrl: baseUrl(url.value, url.from),
    apiKey: key.value,
    mode: key.value.startsWith('sk_live_') ? 'live' : 'test',
    profile: key.profile ?? null,
    baseUrlFrom: url.from,
    apiKeyFrom: key.from,
    emulator: target,
  };
}

function keyOfEmulator({ emulator }: Pick<EmulatorTarget, 'emulator'>): Found {
  return { value: emulator.api_key, from: 'the running emulator' };
}

function urlOfEmulator({ emulator }: Pick<EmulatorTarget, 'emulator'>): Found {
  return { value: emulator.url, from: 'the running emulator' };
}

function defaultUrl(): Found {
  return { value: DEFAULT_BASE_URL, from: 'the default' };
}

function found(value: string | undefined, from: string, profile?: string): Found | undefined {
  return value ? { value, from, ...(profile !== undefined && { profile }) } : undefined;
}

function first(...candidates: (Found | undefined)[]): Found | undefined {
  return candidates.find((candidate) => candidate !== undefined);
}

function isSameAddress(one: string, other: string): boolean {
  return baseUrl(one, 'the config') === baseUrl(other, 'the config');
}

/** The profile in which `login` stores the key and the server address. `login` first checks the key at this address. */
export interface LoginTarget {
  profile: string;
  baseUrl: string;
}

/**
 * Returns the profile and the address for `login`. The address comes from the flag, then from the named profile, then from the
 * environment. The project's file is ignored, so that a cloned folder cannot choose where a typed key goes (decision 11).
 * @throws CliError `several_emulators`, `usage`
 */
export async function loginTarget(flags: SettingsFlags, world: World): Promise<LoginTarget> {
  const { NAMEPLATE_BASE_URL, NAMEPLATE_PROFILE } = world.env;
  const named = flags.profile ?? (NAMEPLATE_PROFILE || undefined);
  const profile = named ?? DEFAULT_PROFILE;
  const stored = { value: readUserConfig(world).profiles[profile]?.base_url, from: `profile ${profile}` };
  const environment = { value: NAMEPLATE_BASE_URL, from: 'NAMEPLATE_BASE_URL' };
  const given = [
    { value: flags['base-url'], from: '--base-url' },
    ...(named === undefined ? [environment, stored] : [stored, environment]),
  ];
  for (const { value, from } of given) {
    if (value) return { profile, baseUrl: baseUrl(value, from) };
  }
  return { profile, baseUrl: (await emulatorOfFolder(world))?.emulator.url ?? DEFAULT_BASE_URL };
}
