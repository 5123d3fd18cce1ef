import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmSubscription, subscribe } from '../../shared/operations/connect/mail-subscriptions.ts';
import { bringAxe, faults } from './accessibility.ts';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';
import { picture } from './picture.ts';
import { STATES } from './states.ts';

/**
 * Opens the connect page of every state in a real browser. Checks that axe finds no serious violation and that no page scrolls sideways.
 * With SCREENSHOTS=<folder>, saves pictures there.
 */
const SCREENS = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 375, height: 740 },
];
const SCHEMES = ['light', 'dark'] as const;

let browser: Browser | null;
let underTest: ConnectUnderTest;

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

test.for(STATES)(
  '$name: has no serious accessibility violation, in light and dark, on a desktop and a phone',
  async (state, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    const domain = await underTest.add(state.hostname, state.mode);
    await state.lead(underTest, domain.id);
    await inspect(browser, state.name, domain.connect_url);
  },
);

test('the page for an unknown connect link has no serious accessibility violation', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await inspect(browser, 'unknown', `${underTest.url}/connect/nobodyknowsthistoken00`);
});

test('the pages that mails link to have no serious accessibility violation', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const { context, mails } = underTest.composition;
  const { connect_url } = await underTest.add('mail.acme.com');
  const connectToken = connect_url.slice(connect_url.lastIndexOf('/') + 1);
  await subscribe(context, { connect_token: connectToken, address: 'ada@example.com', language: 'en' });
  await expect.poll(() => mails.list().length).toBe(1);
  const unsubscribeUrl = mails.list()[0]?.unsubscribe_url ?? '';
  const url = unsubscribeUrl.replace('/unsubscribe', '');
  await inspect(browser, 'mail to confirm', url);
  await inspect(browser, 'mail to leave', unsubscribeUrl);
  await confirmSubscription(context, url.slice(url.lastIndexOf('/') + 1));
  await inspect(browser, 'mail confirmed', url);
});

async function inspect(opened: Browser, name: string, url: string): Promise<void> {
  const context = await opened.newContext();
  await bringAxe(context);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(url);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      expect(
        await faults(page, { coloursOnly: scheme === 'dark' }),
        `${name}, ${screen.name}, ${scheme}`,
      ).toEqual([]);
      await picture(page, `${name}-${screen.name}-${scheme}`);
    }
  }
  await page.setViewportSize({ width: 320, height: 600 });
  const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(sideways, `${name}: pixels to scroll sideways at a width of 320`).toBeLessThanOrEqual(0);
  await picture(page, `${name}-320`);
  expect(problems.filter((text) => !text.includes('status of 404'))).toEqual([]);
  await context.close();
}
