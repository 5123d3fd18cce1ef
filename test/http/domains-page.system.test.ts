import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bringAxe, faults } from '../connect/accessibility.ts';
import { INSTALL_MS_MAX, launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from '../connect/connect-under-test.ts';
import { picture } from '../connect/picture.ts';

/** Tests the guide with the state diagram in a real browser. With SCREENSHOTS=<folder>, saves pictures there. */
const SCREENS = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 375, height: 740 },
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

/** A script that returns the visible drawings, each with the height of its letters in pixels. */
const DRAWINGS = `[...document.querySelectorAll('.machine svg')]
  .filter((svg) => svg.getClientRects().length > 0)
  .map((svg) => ({
    name: svg.getAttribute('class'),
    letters: 14 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
  }))`;

test.for(SCREENS)('the drawing can be read on a $name, in light and dark', async (screen, { skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const context = await browser.newContext({ viewport: screen });
  await bringAxe(context);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`${underTest.url}/docs/domains`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faults(page), colorScheme).toEqual([]);
    await picture(page, `docs-domains-${screen.name}-${colorScheme}`);
  }
  const drawings = await page.evaluate<{ name: string; letters: number }[]>(DRAWINGS);
  expect(drawings.map(({ name }) => name)).toEqual([screen.name === 'phone' ? 'narrow' : 'wide']);
  for (const { letters } of drawings) expect(letters).toBeGreaterThan(12);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(problems).toEqual([]);
  await context.close();
});
