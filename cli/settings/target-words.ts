import { homedir } from 'node:os';
import path from 'node:path';
import { chooseEmulator, type EmulatorTarget } from '../emulator/emulator-choice.ts';
import { plainText } from '../output/plain-text.ts';
import { userConfigFile } from './config-file.ts';
import type { CliSettings } from './settings.ts';
import type { World } from './world.ts';

/** Returns a line that says which server, profile or emulator a command uses, and in which mode. */
export function targetLine(
  { baseUrl, mode, profile, apiKeyFrom, emulator }: CliSettings,
  world: World,
): string {
  if (emulator !== null) return `Using ${emulatorWords(emulator, world)} (${mode} mode).`;
  const key = profile === null ? `key from ${apiKeyFrom}` : `profile ${plainText(profile)}`;
  return `Using ${baseUrl}, ${key} (${mode} mode).`;
}

/** Describes an emulator: its address, the folder where it was started, and how many emulators run. */
export function emulatorWords({ emulator, others }: EmulatorTarget, world: World): string {
  const more = others === 0 ? '' : `, 1 of ${others + 1}`;
  return `emulator ${emulator.url} in ${shortFolder(emulator.folder, world)}${more}`;
}

/** Shortens a path: writes the user's home folder as `~`. */
function shortFolder(folder: string, { env }: World): string {
  const home = env.HOME || homedir();
  const relative = path.relative(home, folder);
  if (relative === '') return '~';
  const isBelow = !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
  return plainText(isBelow ? path.join('~', relative) : folder);
}

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
