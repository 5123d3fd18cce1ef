import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import { type LabUnderTest, labUnderTest } from './lab-under-test.ts';

/** Starts one browser for all tests of a file, and a lab for each test. Skips the tests if Chromium is missing. */
export function labOfEachTest(): { browser(): Browser | null; lab(): LabUnderTest } {
  let browser: Browser | null;
  let lab: LabUnderTest;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  beforeEach(async ({ skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    lab = await labUnderTest(browser);
    return () => lab[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return { browser: () => browser, lab: () => lab };
}
