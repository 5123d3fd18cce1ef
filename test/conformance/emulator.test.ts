import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Driver } from './driver.ts';
import { startEmulatorDriver } from './emulator-driver.ts';
import { SUITES } from './suites.ts';

/** Runs the contract's suites, section by section, on the emulator. */
let driver: Driver;
beforeAll(async () => {
  driver = await startEmulatorDriver();
});
beforeEach(() => driver.reset());
afterAll(() => driver.close());

describe.each(Object.entries(SUITES))('%s', (_, suite) => suite(() => driver));
