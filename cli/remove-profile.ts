import { DEFAULT_PROFILE, profileNamed, readUserConfig, writeUserConfig } from './config-file.ts';
import type { World } from './world.ts';

/**
 * Removes a stored profile with its key; when it was the one in use, the default one is next.
 * @throws CliError `unknown_profile`
 */
export function removeProfile(name: string, world: World): void {
  const config = readUserConfig(world);
  profileNamed(name, config);
  delete config.profiles[name];
  const profile = config.profile === name ? DEFAULT_PROFILE : config.profile;
  writeUserConfig({ ...config, profile }, world);
}
