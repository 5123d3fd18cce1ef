import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Driver } from './driver.ts';
import { startEmulatorDriver } from './emulator-driver.ts';
import { SUITES } from './suites.ts';

/** Runs the contract's suites, section by section, on the emulator. */
describe.each(Object.entries(SUITES))('%s', (_, suite) => {
  let driver: Driver;
  beforeAll(async () => {
    driver = await startEmulatorDriver();
  });
  beforeEach(() => driver.reset());
  afterAll(() => driver.close());

  suite(() => driver);
});
