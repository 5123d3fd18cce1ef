import type { FoundEmulator } from '../../emulator/registry.ts';
import { createRequest, type Request } from '../../shared/client/request.ts';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import { CliError } from '../runtime/cli-error.ts';
import { patientFetch } from '../runtime/patient-fetch.ts';
import { baseUrl } from '../settings/base-url.ts';
import type { SettingsFlags } from '../settings/settings.ts';
import { emulatorWords } from '../settings/target-words.ts';
import type { World } from '../settings/world.ts';
import { emulatorOfFolder } from './emulator-choice.ts';

/**
 * The control API of the emulator at `--base-url`, else at NAMEPLATE_BASE_URL (set by `emulator exec`), else of the emulator of this
 * folder.
 */
export interface EmulatorControl {
  baseUrl: string;
  /** The emulator's process id; null if the user gave the emulator's address. */
  pid: number | null;
  request: Request;
}

/** Finds the emulator that a command uses. @throws CliError `emulator_not_running`, `several_emulators` */
export async function connectControl(flags: SettingsFlags, world: World): Promise<EmulatorControl> {
  const isShown = world.stderr.isTTY === true && !flags.json && flags.jq === undefined;
  const named = flags['base-url'] ?? loopbackUrl(world.env.NAMEPLATE_BASE_URL);
  if (named !== undefined) {
    const address = baseUrl(named, flags['base-url'] === undefined ? 'NAMEPLATE_BASE_URL' : '--base-url');
    if (isShown) world.stderr.write(`Using emulator ${address}.\n`);
    return { baseUrl: address, pid: null, request: controlRequest(address, world) };
  }
  const target = await emulatorOfFolder(world);
  if (target === null) throw notRunning();
  if (isShown) world.stderr.write(`Using ${emulatorWords(target, world)}.\n`);
  return controlOf(target.emulator, world);
}

/** Returns the control API of one of this user's emulators. */
export function controlOf({ url, pid }: Pick<FoundEmulator, 'url' | 'pid'>, world: World): EmulatorControl {
  return { baseUrl: url, pid, request: controlRequest(url, world) };
}

function controlRequest(baseUrl: string, { stderr }: World): Request {
  const fetch = patientFetch(baseUrl, (text) => void stderr.write(`${text}\n`));
  // The timeout is long, because the emulator responds to a clock move only after it has done all due work.
  return createRequest({ baseUrl, headers: {}, fetch, retries: 0, timeoutMs: 600_000 });
}

export function notRunning(): CliError {
  return new CliError('emulator_not_running', 'No emulator is running.', {
    fix: 'Run nameplate emulator start.',
  });
}

/** Returns the URL if it is a loopback address. Ignores a hosted server, because it has no control API. */
function loopbackUrl(url: string | undefined): string | undefined {
  return url && URL.canParse(url) && isLoopbackHost(new URL(url).hostname) ? url : undefined;
}
