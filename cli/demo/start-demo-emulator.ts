import type { EmulatorOptions } from '../../emulator/emulator-options.ts';
import type { ShownEmulator } from '../../emulator/shown-emulator.ts';

/**
 * Starts an emulator in memory on free ports. It is not registered, so that other commands do not use it. It logs nothing, because log
 * lines would damage the event view.
 */
export async function startDemoEmulator(
  options: Pick<EmulatorOptions, 'seed' | 'webhook'>,
): Promise<ShownEmulator> {
  const { runEmulator } = await import('../../emulator/run-emulator.ts');
  const { showEmulator } = await import('../../emulator/shown-emulator.ts');
  const ignore = () => undefined;
  return showEmulator(await runEmulator({ ...options, log: { info: ignore, warn: ignore, error: ignore } }));
}
