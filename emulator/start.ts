import type { Emulator } from './emulator.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { createHandle } from './handle.ts';
import { runEmulator } from './run-emulator.ts';
import { type ExpectedOutcome, testOutcomes } from './state/test-outcomes.ts';

/** Types and tables for programs that import this package's emulator. */
export type { Emulator, EmulatorOptions, ExpectedOutcome };

/** Every test hostname with its expected outcome, as a fixture for your own tests. The first is an ordinary hostname. */
export const TEST_OUTCOMES: readonly ExpectedOutcome[] = testOutcomes();

/** Starts the whole service in this process and returns a handle to control it. @throws the errors of `runEmulator`. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return createHandle(await runEmulator(options));
}
