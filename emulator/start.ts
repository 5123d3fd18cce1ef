import type { Emulator } from './emulator.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { createHandle } from './handle.ts';
import { runEmulator } from './run-emulator.ts';
import { type ExpectedOutcome, testOutcomes } from './state/test-outcomes.ts';

/** What a program that imports this package's emulator also gets. */
export type { Emulator, EmulatorOptions, ExpectedOutcome };

/** Every test hostname with what comes of it, the ordinary one first: a fixture for a team's own tests. */
export const TEST_OUTCOMES: readonly ExpectedOutcome[] = testOutcomes();

/** Starts the whole service in this process, and gives it into the hands of a program. @throws as `runEmulator`. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return createHandle(await runEmulator(options));
}
