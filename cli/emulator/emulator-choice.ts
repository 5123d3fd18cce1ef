import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type FoundEmulator, findRunningEmulators } from '../../emulator/registry.ts';
import { plainText } from '../output/plain-text.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

/** The emulators that run, and the one for commands of this folder; null if none is, or several could be. */
export interface EmulatorChoice {
  chosen: FoundEmulator | null;
  running: readonly FoundEmulator[];
}

/**
 * Chooses the emulator that was started in this folder or in its nearest ancestor, else the only one that runs.
 * It does not choose between emulators that were started in the same folder.
 */
export async function chooseEmulator({ env, cwd }: World): Promise<EmulatorChoice> {
  const running = await findRunningEmulators(env);
  const here = realFolder(cwd);
  const around = running
    .map((emulator) => ({ emulator, folder: realFolder(emulator.folder) }))
    .filter(({ folder }) => isInside(here, folder));
  const nearest = Math.max(0, ...around.map(({ folder }) => folder.length));
  const ofFolder = around.filter(({ folder }) => folder.length === nearest).map(({ emulator }) => emulator);
  const candidates = ofFolder.length > 0 ? ofFolder : running;
  const [only] = candidates;
  return { chosen: candidates.length === 1 && only !== undefined ? only : null, running };
}

/** The emulator that a command goes to. */
export interface EmulatorTarget {
  emulator: FoundEmulator;
  /** Names it to a person, if others run too; null if it is the only one. */
  note: string | null;
}

/**
 * Returns the emulator for commands of this folder, and null if none runs.
 * @throws CliError `several_emulators` if it cannot choose.
 */
export async function emulatorOfFolder(world: World): Promise<EmulatorTarget | null> {
  const { chosen, running } = await chooseEmulator(world);
  if (chosen === null && running.length > 0) throw severalEmulators(running);
  if (chosen === null) return null;
  const others = running.length - 1;
  return {
    emulator: chosen,
    note: others === 0 ? null : `Emulator: ${emulatorName(chosen)} (${others} more: emulator list).`,
  };
}

/** An emulator in one line: its address and where it was started. */
export function emulatorName({ url, folder }: FoundEmulator): string {
  return `${url}, started in ${plainText(folder)}`;
}

function severalEmulators(running: readonly FoundEmulator[]): CliError {
  const lines = ['Several emulators run, and this folder does not tell which one you mean:'];
  const [first] = running;
  return new CliError('several_emulators', [...lines, ...running.map(emulatorName)].join('\n'), {
    fix: `Name one, such as --base-url ${first?.url}, or run the command in the folder of one.`,
    status_detail: { emulators: running.map(({ url, folder }) => ({ url, folder })) },
  });
}

/** Links resolved, as a process sees its own folder; a folder that is gone stays as it was written. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function isInside(folder: string, ancestor: string): boolean {
  const relative = path.relative(ancestor, folder);
  return relative === '' || !(relative.split(path.sep)[0] === '..' || path.isAbsolute(relative));
}
