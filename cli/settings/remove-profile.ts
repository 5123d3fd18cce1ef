import { changeUserConfig, DEFAULT_PROFILE, profileNamed } from './config-file.ts';
import type { World } from './world.ts';

/**
 * Removes a stored profile with its key. If that profile was in use, selects the default profile.
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
