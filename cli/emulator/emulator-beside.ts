import { userConfigFile } from '../settings/config-file.ts';
import type { Settings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { chooseEmulator } from './emulator-choice.ts';

/**
 * Tells a person that an emulator of this folder runs, and that the command goes elsewhere because a profile is stored. Returns null if
 * the server was named by a flag, the environment or the project.
 */
export async function emulatorBeside(
  { base_url, base_url_from, profile }: Settings,
  world: World,
): Promise<string | null> {
  if (profile === null || base_url_from !== userConfigFile(world)) return null;
  const { chosen: emulator, running } = await chooseEmulator(world);
  if (emulator === null || running.some(({ url }) => url === base_url)) return null;
  return `An emulator runs at ${emulator.url}; this goes to ${base_url}, of profile ${profile}. For the emulator add --base-url ${emulator.url}.`;
}
