import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import {
  bidiFaults,
  forcedColourFaults,
  LONG_HOSTNAME,
  LONG_NAME,
  layoutFaults,
  RTL_NAME,
  tabFaults,
} from '../../connect/layout-faults.ts';
import { type LabUnderTest, labUnderTest } from './lab-under-test.ts';

/**
 * Tests the lab at 200 and 400 % zoom, with forced colours, and with the keyboard alone. Names are long,
 * or run from right to left.
 */
let browser: Browser | null;
let underTest: LabUnderTest;

beforeAll(async () => {
  browser = await launchChromium();
  underTest = await labUnderTest(browser);
  await underTest.add(LONG_HOSTNAME);
  await underTest.add('caa-forbids.initech.com');
  await underTest.emulator.clock.untilIdle();
  await underTest.control('POST /apps', { name: RTL_NAME, plan: 'growth' });
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

test.for([
  ['long', LONG_NAME],
  ['right-to-left', RTL_NAME],
])(
  'the lab has no fault of layout, forced colours or keyboard with a %s name',
  async ([, name], { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    await underTest.api('PATCH /apps/current', { name }, underTest.emulator.keys.live);
    for (const view of ['', '/emulator', '/requests']) {
      await underTest.open(
        view,
        async (page) => {
          await page.locator('.connection.live').waitFor();
          await page.locator('main :is(h2, h3, .row, .empty-title):visible').first().waitFor();
          expect.soft(await layoutFaults(page), view).toEqual([]);
          expect.soft(await bidiFaults(page), view).toEqual([]);
          expect.soft(await forcedColourFaults(page), view).toEqual([]);
          await page.setViewportSize({ width: 1280, height: 900 });
          expect.soft((await tabFaults(page)).found, view).toEqual([]);
        },
        { deviceScaleFactor: 2, reducedMotion: 'reduce' },
      );
    }
  },
);
