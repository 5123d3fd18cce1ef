import { CliError } from './cli-error.ts';
import { DEFAULT_PROFILE, readUserConfig, writeUserConfig } from './config-file.ts';
import type { World } from './world.ts';

/**
 * Removes a stored profile with its key; when it was the one in use, the default one is next.
 * @throws CliError `unknown_profile`
 */
export function removeProfile(name: string, world: World): void {
  const config = readUserConfig(world);
  if (!config.profiles[name]) throw unknownProfile(name);
  delete config.profiles[name];
  const profile = config.profile === name ? DEFAULT_PROFILE : config.profile;
  writeUserConfig({ ...config, profile }, world);
}

export function unknownProfile(name: string): CliError {
  return new CliError('unknown_profile', `There is no profile "${name}".`, {
    fix: 'Run nameplate profiles list to see those there are, or nameplate login --profile to make one.',
  });
}
