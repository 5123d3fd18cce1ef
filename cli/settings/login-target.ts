import { emulatorOfFolder } from '../emulator/emulator-choice.ts';
import { baseUrl, DEFAULT_BASE_URL } from './base-url.ts';
import { DEFAULT_PROFILE, readUserConfig } from './config-file.ts';
import type { SettingsFlags } from './settings.ts';
import type { World } from './world.ts';

/** The profile that `login` writes, and the address that it checks the key with and stores. */
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
