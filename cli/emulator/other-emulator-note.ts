import { userConfigFile } from '../settings/config-file.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { chooseEmulator } from './emulator-choice.ts';

/**
 * Returns a note if an emulator of this folder is running but the command uses the stored profile's server instead. Returns null if a
 * flag, the environment or the project names the server.
 */
export async function otherEmulatorNote(
  { baseUrl, baseUrlFrom, profile }: CliSettings,
  world: World,
): Promise<string | null> {
  if (profile === null || baseUrlFrom !== userConfigFile(world)) return null;
  const { chosen: emulator, running } = await chooseEmulator(world);
  if (emulator === null || running.some(({ url }) => url === baseUrl)) return null;
  return `An emulator is also running: add --base-url ${emulator.url} to use it.`;
}
