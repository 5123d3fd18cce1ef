import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bringAxe, faults } from '../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
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
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

/** A script that returns the height of the smallest letters in the drawing in pixels; 0 if the drawing is hidden. */
const LETTERS = `(() => {
  const svg = document.querySelector('.machine > svg');
  return 11 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
})()`;

test.for(SCREENS)(
  'the states of a domain can be read on a $name, in light and dark',
  async (screen, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    const context = await browser.newContext({ viewport: screen, reducedMotion: 'reduce' });
    await bringAxe(context);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${underTest.url}/docs/states`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faults(page), colorScheme).toEqual([]);
      await picture(page, `docs-states-${screen.name}-${colorScheme}`);
    }
    const letters = await page.evaluate<number>(LETTERS);
    const listed = await page.locator('.ways-out').boundingBox();
    if (screen.name === 'phone') expect([letters, (listed?.width ?? 0) > 300]).toEqual([0, true]);
    else expect([letters >= 11, listed?.width]).toEqual([true, 1]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await context.close();
  },
);
