import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type FoundEmulator, findRunningEmulators } from '../../emulator/registry.ts';
import { plainText } from '../output/plain-text.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { World } from '../settings/world.ts';

/**
 * The running emulators, and the emulator that commands in this folder use. `chosen` is null if no emulator runs or the choice is
 * ambiguous.
 */
export interface EmulatorChoice {
  chosen: FoundEmulator | null;
  running: readonly FoundEmulator[];
}

/**
 * Chooses the emulator that was started in this folder or in its nearest ancestor, else the only running emulator. Chooses none if several
 * were started in the same folder.
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

/** The emulator that a command uses. */
export interface EmulatorTarget {
  emulator: FoundEmulator;
  /** The number of other running emulators. */
  others: number;
}

/**
 * Returns the emulator for commands in this folder, or null if none is running.
 * @throws CliError `several_emulators` if the choice is ambiguous.
 */
export async function emulatorOfFolder(world: World): Promise<EmulatorTarget | null> {
  const { chosen, running } = await chooseEmulator(world);
  if (chosen === null && running.length > 0) throw severalEmulators(running);
  return chosen === null ? null : { emulator: chosen, others: running.length - 1 };
}

/** Describes an emulator in one line: its address and the folder where it was started. */
export function emulatorName({ url, folder }: FoundEmulator): string {
  return `${url}, started in ${plainText(folder)}`;
}

function severalEmulators(running: readonly FoundEmulator[]): CliError {
  const lines = ['Several emulators are running, and none belongs to this folder alone:'];
  const [first] = running;
  return new CliError('several_emulators', [...lines, ...running.map(emulatorName)].join('\n'), {
    fix: `Choose one, such as --base-url ${first?.url}, or run the command in its folder.`,
    status_detail: { emulators: running.map(({ url, folder }) => ({ url, folder })) },
  });
}

/**
 * Resolves the symbolic links in a path, because the operating system does so for a process's working directory. Returns the path unchanged
 * if the folder was deleted.
 */
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
