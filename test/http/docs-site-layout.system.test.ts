import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/start.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { forcedColourFaults, layoutFaults, layoutShift, tabFaults } from '../connect/layout-faults.ts';

/** Tests that the documentation can be used at 200 and 400 % zoom, with forced colours, and with the keyboard alone. */
const PAGES = [
  ['the home', ''],
  ['a guide', '/webhooks'],
  ['the reference', '/api/create-domain'],
  ['an error', '/errors/domain_limit_reached'],
  ['a missing page', '/guides/rate_limited'],
] as const;

let browser: Browser | null;
let emulator: Emulator;

beforeAll(async () => {
  [browser, emulator] = await Promise.all([launchChromium(), startEmulator()]);
});

afterAll(async () => {
  await browser?.close();
  await emulator[Symbol.asyncDispose]();
});

test.for(PAGES)(
  '%s of the documentation has no fault of layout, forced colours or keyboard',
  async ([, path], { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    const context = await browser.newContext({ deviceScaleFactor: 2, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${emulator.url}/docs${path}`);
    expect.soft(await layoutFaults(page)).toEqual([]);
    expect.soft(await forcedColourFaults(page)).toEqual([]);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 900 });
      const { found, stops } = await tabFaults(page);
      expect.soft(found, `${width}`).toEqual([]);
      expect(stops.length).toBeGreaterThan(5);
    }
    await context.close();
  },
);

test.for([
  ['its fonts are late', /woff2/],
  ['its script is late', /docs\.js/],
] as const)('the parts of a reference page keep their places when %s', async ([, late], { skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const page = await browser.newPage();
  const url = `${emulator.url}/docs/api/create-domain`;
  expect(await layoutShift(page, url, late)).toBeLessThan(0.05);
  await page.close();
});
