import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmulator } from '../../emulator/start.ts';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';
import { headline, later, said, soon, visit } from './visit.ts';

/** Tests what a customer can do on the connect page, in a real browser. */
let browser: Browser | null;
let underTest: ConnectUnderTest;

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
});

beforeEach(({ skip }) => {
  if (browser === null) skip(NO_CHROMIUM);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

/** Opens a page in the shared browser. */
async function open(url: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
  if (browser === null) throw new Error(NO_CHROMIUM);
  await visit(browser, url, options, work);
}

test('the connect page copies a value, and says so on the button and to screen readers', async () => {
  const { connect_url, dns } = await underTest.add('copy.acme.com');
  await open(connect_url, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    const button = page.getByRole('button', { name: 'Copy the Value' });
    await button.click();
    await soon(() => button.textContent()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(dns.cname?.value);
    await soon(() => said(page)).toBe('Copied the Value');
    await page.getByText('Does someone else manage the domain?').click();
    await page.getByRole('button', { name: 'Copy link to this page' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(connect_url);
  });
});

test('the connect page copies a value without the clipboard API, which needs https', async () => {
  const { connect_url } = await underTest.add('plain.acme.com');
  await open(connect_url, {}, async (page) => {
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const button = page.getByRole('button', { name: 'Copy the Name' });
    await button.click();
    await soon(() => button.textContent()).toBe('Copied');
    expect(await page.evaluate('document.activeElement.id')).toBe('copy-1-2');
  });
});

test('the connect page shows without a reload that the domain is live, announces it, keeps typed text, and stops refreshing', async () => {
  const { id, connect_url } = await underTest.add('turning.acme.com');
  await open(connect_url, {}, async (page) => {
    let looks = 0;
    page.on('request', (request) => request.url().includes('/live') && looks++);
    expect(await headline(page)).toBe('Waiting for your DNS record');
    const address = page.getByLabel('Your email address');
    await address.fill('ada@exam');
    await underTest.lead(id, ['dns_seen']);
    await later(page, () => headline(page)).toBe('We found your record');
    await soon(() => said(page)).toBe('We found your record');
    expect(await address.inputValue()).toBe('ada@exam');
    expect(await page.evaluate('document.activeElement.id')).toBe('address');
    await underTest.lead(id, ['dns_confirmed', 'certificate_issued']);
    await later(page, () => headline(page)).toBe('Your domain is live');
    expect(await page.title()).toBe('turning.acme.com: Your domain is live');
    expect(await page.evaluate('document.activeElement.id')).toBe('headline');
    const soFar = looks;
    expect(soFar).toBeGreaterThan(0);
    await page.clock.runFor(600_000);
    expect(looks).toBe(soFar);
  });
});

test('the connect page shows that the server cannot be reached, until the server is back', async () => {
  const { connect_url } = await underTest.add('offline.acme.com');
  await open(connect_url, {}, async (page) => {
    const notice = page.locator('#offline');
    expect(await notice.isVisible()).toBe(false);
    await page.route('**/live*', (route) => route.abort());
    await later(page, () => notice.isVisible()).toBe(true);
    expect(await notice.textContent()).toContain("We can't reach the server");
    await page.unroute('**/live*');
    await later(page, () => notice.isVisible()).toBe(false);
  });
});

test('"Check again" on the connect page shows its result in place, keeps the focus, and announces the result', async () => {
  const { connect_url } = await underTest.add('again.acme.com');
  await open(connect_url, {}, async (page) => {
    const button = page.getByRole('button', { name: /^Check (now|again)$/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await soon(() => said(page)).toContain('We are checking now.');
    expect(page.url()).toBe(connect_url);
    expect(await page.evaluate('document.activeElement.id')).toBe('check-again');
    await button.click();
    await soon(() => said(page)).toContain('Please wait 15 seconds');
    expect(await page.locator('#status-notice').textContent()).toContain('Please wait 15 seconds');
  });
});

test('the Tab key moves through the connect page from top to bottom, with a visible focus at every stop', async () => {
  const { connect_url } = await underTest.add('keys.acme.com');
  await open(connect_url, {}, async (page) => {
    const stops: string[] = [];
    for (let presses = 0; presses < 10; presses++) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate<string>(
          `document.activeElement.getAttribute('aria-label') ?? (document.activeElement.labels?.[0] ?? document.activeElement).textContent`,
        ),
      );
      const outline = 'getComputedStyle(document.activeElement).outlineStyle';
      expect.soft(await page.evaluate(outline), stops.at(-1)).not.toBe('none');
    }
    expect(stops).toEqual([
      'Skip to the content',
      'Copy the Name',
      'Copy the Value',
      'Check now',
      'Show me how, step by step',
      'Which DNS provider do you use?',
      'Does keys.acme.com have visitors today?',
      'Does someone else manage the domain?',
      'Your email address',
      'Email me',
    ]);
  });
});

/** A script that returns the animated properties of each animation on the page, and whether the animation runs. */
const ANIMATIONS = `document.getAnimations().map((each) => ({
  moves: [...new Set(each.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))]
    .filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name)).sort(),
  state: each.playState,
}))`;

test('the connect page animates only the icon of work in progress, by compositor properties, while it is in view', async () => {
  const { id, connect_url } = await underTest.add('moving.acme.com');
  await open(connect_url, { viewport: { width: 375, height: 500 } }, async (page) => {
    const animations = () => page.evaluate(ANIMATIONS);
    const moves = ['transform'];
    await soon(animations).toEqual([]);
    await underTest.lead(id, ['dns_seen']);
    await later(page, () => headline(page)).toBe('We found your record');
    await soon(animations).toEqual([{ moves, state: 'running' }]);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await soon(animations).toEqual([{ moves, state: 'paused' }]);
    // In the next state, the page replaces the icon, and the new icon must pause too.
    await underTest.lead(id, ['dns_confirmed']);
    await later(page, () => headline(page)).toBe('Your record is correct');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await soon(animations).toEqual([{ moves, state: 'paused' }]);
    await page.evaluate('scrollTo(0, 0)');
    await soon(animations).toEqual([{ moves, state: 'running' }]);
    const hide = (hidden: boolean) =>
      `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`;
    await page.evaluate(hide(true));
    await soon(animations).toEqual([{ moves, state: 'paused' }]);
    await page.evaluate(hide(false));
    await soon(animations).toEqual([{ moves, state: 'running' }]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await soon(animations).toEqual([]);
  });
});

test('without JavaScript, the connect page can do everything but copy and refresh, in a real emulator', async () => {
  await using disposable = new AsyncDisposableStack();
  const emulator = await startEmulator({ clock: 'frozen' });
  disposable.defer(() => emulator.close());
  const added = await fetch(`${emulator.url}/v1/domains`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.keys.live}`, 'content-type': 'application/json' },
    body: JSON.stringify({ hostname: 'careers.acme.com' }),
  });
  const { connect_url } = (await added.json()) as { connect_url: string };
  await open(connect_url, { javaScriptEnabled: false }, async (page) => {
    expect(await page.getByRole('button', { name: 'Copy the Value' }).isVisible()).toBe(false);
    expect(await page.getByText('Reload this page').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Check now' }).click();
    expect(await page.getByText('We are checking now.').isVisible()).toBe(true);
    await page.getByLabel('Your email address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Email me' }).click();
    expect(await page.getByText('Please check your inbox').isVisible()).toBe(true);
  });
});
