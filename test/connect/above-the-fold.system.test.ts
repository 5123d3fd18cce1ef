import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALL_MS_MAX, launchChromium, NO_CHROMIUM } from './chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';
import { STATES } from './states.ts';

/** Measures how far from the top of the page the first record to set ends, in pixels. A visitor must see it without scrolling. */
const SCREENS = [
  { width: 375, height: 667 },
  { width: 1280, height: 800 },
];
const ASKS_FOR_A_RECORD = [
  'pending at a provider',
  'pending at an apex',
  'pending with a fault',
  'dns broken',
];

let browser: Browser | null;
let underTest: ConnectUnderTest;

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
}, INSTALL_MS_MAX);

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

test.for(ASKS_FOR_A_RECORD)('%s: the first record is visible without scrolling', async (name, { skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const state = STATES.find((each) => each.name === name);
  if (state === undefined) throw new Error(`no state ${name}`);
  const { id, connect_url } = await underTest.add(state.hostname, state.mode);
  await state.lead(underTest, id);
  const page = await browser.newPage();
  await page.goto(connect_url);
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    const first = await page.locator('.record').first().boundingBox();
    const end = Math.round((first?.y ?? Number.POSITIVE_INFINITY) + (first?.height ?? 0));
    console.log(`${name}, ${screen.width} × ${screen.height}: the first record ends at ${end}`);
    expect(end, `${name} at ${screen.width}`).toBeLessThanOrEqual(screen.height);
  }
  await page.close();
});
