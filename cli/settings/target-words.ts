import { homedir } from 'node:os';
import path from 'node:path';
import type { EmulatorTarget } from '../emulator/emulator-choice.ts';
import { plainText } from '../output/plain-text.ts';
import type { CliSettings } from './settings.ts';
import type { World } from './world.ts';

/** Says in one line which server, profile or emulator a command uses, and in which mode. */
export function targetLine(
  { baseUrl, mode, profile, apiKeyFrom, emulator }: CliSettings,
  world: World,
): string {
  if (emulator !== null) return `Using ${emulatorWords(emulator, world)} (${mode} mode).`;
  const key = profile === null ? `key from ${apiKeyFrom}` : `profile ${plainText(profile)}`;
  return `Using ${baseUrl}, ${key} (${mode} mode).`;
}

/** Names an emulator, where it was started, and how many others run. */
export function emulatorWords({ emulator, others }: EmulatorTarget, world: World): string {
  const more = others === 0 ? '' : `, 1 of ${others + 1}`;
  return `emulator ${emulator.url} in ${shortFolder(emulator.folder, world)}${more}`;
}

/** Writes the user's own folder as `~`. */
function shortFolder(folder: string, { env }: World): string {
  const home = env.HOME || homedir();
  const relative = path.relative(home, folder);
  if (relative === '') return '~';
  const isBelow = !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
  return plainText(isBelow ? path.join('~', relative) : folder);
}
