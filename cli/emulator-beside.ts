import { findRunningEmulator } from '../emulator/state-file.ts';
import { userConfigFile } from './config-file.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

/**
 * What a person is told who has started an emulator and whose commands go elsewhere all the same, because a profile is stored. Null where
 * the server was named by a flag, the environment or the project, and where nobody reads it.
 */
export async function emulatorBeside(
  { base_url, base_url_from, profile }: Settings,
  world: World,
): Promise<string | null> {
  if (world.stderr.isTTY !== true || profile === null || base_url_from !== userConfigFile(world)) return null;
  const emulator = await findRunningEmulator(world.env);
  if (emulator === null || emulator.url === base_url) return null;
  return `An emulator runs at ${emulator.url}; this goes to ${base_url}, of profile ${profile}. For the emulator add --base-url ${emulator.url}.`;
}
