import type { EmulatorOptions } from '../../emulator/emulator-options.ts';
import { runEmulator } from '../../emulator/run-emulator.ts';
import { type ShownEmulator, showEmulator } from '../../emulator/shown-emulator.ts';
import type { Log } from '../../shared/ports/system.ts';

const ignore = () => undefined;
/** The demo logs nothing, because log lines would damage the event view. */
export const DEMO_LOG: Log = { info: ignore, warn: ignore, error: ignore };

/** Starts an emulator in memory on free ports. It is not registered, so that other commands do not use it. */
export async function startDemoEmulator(
  options: Pick<EmulatorOptions, 'seed' | 'webhook'>,
): Promise<ShownEmulator> {
  return showEmulator(await runEmulator({ ...options, log: DEMO_LOG }));
}
