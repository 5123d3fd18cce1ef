import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/start.ts';
import { bringAxe, faults } from '../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { picture } from '../connect/picture.ts';

/** Tests the documentation that the built emulator serves, in a real browser. With SCREENSHOTS=<folder>, saves pictures there. */
const PAGES = [
  '',
  '/webhooks',
  '/how-it-works',
  '/states',
  '/api',
  '/api/create-domain',
  '/errors/domain_limit_reached',
  '/reasons/dns_record_missing',
  '/glossary',
  '/changelog',
];

/** A script that returns whether the link to the current page is in the visible part of the tree. */
const TREE_SHOWS_PAGE = `(() => {
  const [tree, link] = ['.tree', '.tree [aria-current="page"]'].map((each) => document.querySelector(each).getBoundingClientRect());
  return link.height > 0 && link.top >= tree.top && link.bottom <= tree.bottom;
})()`;

/** A script that returns the texts on the page that are smaller than 12 pixels. */
const SMALL_TEXTS = `[...document.querySelectorAll('body :not(svg, svg *)')]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 12)
  .map((each) => each.outerHTML.slice(0, 80))`;

let browser: Browser | null;
let emulator: Emulator;

beforeAll(async () => {
  [browser, emulator] = await Promise.all([launchChromium(), startEmulator()]);
});

afterAll(async () => {
  await browser?.close();
  await emulator[Symbol.asyncDispose]();
});

/** Opens a page. Collects the errors in its console, such as a violation of its content security policy. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  if (browser === null) throw new Error(NO_CHROMIUM);
  const context = await browser.newContext(options);
  await bringAxe(context);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${emulator.url}/docs${path}`);
  return { page, context, problems, [Symbol.asyncDispose]: () => context.close() };
}

interface OpenPage extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  problems: string[];
}

test.for([
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 375, height: 740 },
])(
  'the pages of the documentation site are accessible and fit on a $name, in light and dark',
  async (viewport, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    // Without motion, a button has its new colour as soon as the scheme changes.
    await using opened = await open('', { viewport, reducedMotion: 'reduce' });
    const { page, problems } = opened;
    for (const path of PAGES) {
      await page.goto(`${emulator.url}/docs${path}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faults(page, { everyImpact: true, coloursOnly: colorScheme === 'dark' }), path).toEqual(
          [],
        );
        await picture(page, `docs${path.replaceAll('/', '-')}-${viewport.name}-${colorScheme}`);
      }
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        path,
      ).toBeLessThanOrEqual(0);
    }
    expect(problems).toEqual([]);
  },
);

test('each page of the documentation site opens at its top, and the tree of its part shows its link', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  // Without axe, which takes as long to load as a page does.
  await using context = await browser.newContext({ viewport: { width: 1280, height: 600 } });
  const page = await context.newPage();
  const hrefs: string[] = [];
  for (const first of ['/quickstart', '/api', '/errors', '/reasons', '/cli']) {
    await page.goto(`${emulator.url}/docs${first}`);
    hrefs.push(
      ...(await page.evaluate<string[]>(
        "[...document.querySelectorAll('.tree ul a')].map(({ href }) => href)",
      )),
    );
  }
  expect(new Set(hrefs).size).toBeGreaterThan(130);
  for (const href of new Set(hrefs)) {
    await page.goto(href);
    expect(await page.evaluate('scrollY'), href).toBe(0);
    expect(await page.evaluate(TREE_SHOWS_PAGE), href).toBe(true);
  }
});

test('on a phone, the menu of the documentation site opens at the link of the page', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/changelog', { viewport: { width: 375, height: 600 } });
  const { page } = opened;
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.poll(() => page.evaluate(TREE_SHOWS_PAGE)).toBe(true);
});

test('the search of the documentation site finds a page by keyboard, also without a network', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('');
  const { page, context } = opened;
  await page.keyboard.press('/');
  await page.keyboard.type('rotate the sec');
  await page.getByRole('option').first().waitFor();
  await context.setOffline(true);
  await page.getByRole('combobox').fill('record missing');
  await page.getByRole('option', { name: 'The record is missing' }).first().waitFor();
  expect(await faults(page)).toEqual([]);
  await context.setOffline(false);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/reasons/dns_record_missing');
});

test('the page for a URL that does not exist offers a search for the last word of the URL', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/guides/rate_limited');
  const { page } = opened;
  expect(await faults(page, { everyImpact: true })).toEqual([]);
  await page.getByRole('button', { name: 'rate_limited' }).click();
  await page.getByRole('option').first().click();
  await page.waitForURL('**/docs/errors/rate_limited');
});

test('no page of the documentation site scrolls sideways at 320 pixels, or has text below 12 pixels outside the diagram', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('', { viewport: { width: 320, height: 640 } });
  const { page } = opened;
  for (const path of PAGES) {
    await page.goto(`${emulator.url}/docs${path}`);
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(320);
    expect(await page.evaluate(SMALL_TEXTS), path).toEqual([]);
  }
});

test('a language chosen on the documentation site applies to every page', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/api/create-domain');
  const { page } = opened;
  const shown = () => page.locator('.tabs > pre:visible').allTextContents();
  expect((await shown())[0]).toMatch(/^curl /);
  await page.getByRole('radio', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowLeft');
  expect((await shown())[0]).toMatch(/^<\?php/);
  await page.goto(`${emulator.url}/docs/api/get-domain`);
  expect((await shown())[0]).toMatch(/^<\?php/);
});

test('the copy button of the documentation site copies code exactly', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/quickstart', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = opened;
  const block = page.locator('.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  const code = await block.locator('code').textContent();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code?.trimEnd());
});

test('a colour scheme chosen on the documentation site applies to the next page', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('', { colorScheme: 'light' });
  const { page } = opened;
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Switch to dark colours' }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.goto(`${emulator.url}/docs/webhooks`);
  expect(await ground()).toBe(dark);
});

test("the form on an operation's page sends its request to the emulator", async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/api/create-domain');
  const { page, problems } = opened;
  await page.getByText('Try it in your emulator').click();
  await page.getByRole('button', { name: 'Send POST' }).click();
  await page.getByText('Status 201').waitFor();
  expect(await page.locator('.try pre').textContent()).toContain('"hostname": "careers.acme.com"');
  await page.goto(`${emulator.url}/docs/api/get-domain`);
  await page.getByText('Try it in your emulator').click();
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByText('Status 200').waitFor();
  expect(await page.locator('.try pre').textContent()).toContain('"hostname": "careers.acme.com"');
  expect(problems).toEqual([]);
});

test("the form on an operation's page refuses an address of another server, and can be used again", async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/api/list-domains');
  const { page, problems } = opened;
  const sent: string[] = [];
  page.on('request', (request) => request.resourceType() === 'fetch' && sent.push(request.url()));
  await page.getByText('Try it in your emulator').click();
  const button = page.getByRole('button', { name: 'Send GET' });
  for (const address of ['http://[', 'http://127.0.0.1:1/v1/domains/{id}']) {
    await page.getByLabel('Address').fill(address);
    await button.click();
    await page.getByText(/must begin with \/v1\/|nothing to send it for/).waitFor();
  }
  expect(sent).toEqual([]);
  await page.getByLabel('Address').fill('/v1/domains');
  await button.click();
  await page.getByText('Status 200').waitFor();
  expect(problems).toEqual([]);
});

test('a page of the documentation site can be read without its script', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using opened = await open('/api/create-domain', {
    javaScriptEnabled: false,
    viewport: { width: 375, height: 740 },
  });
  const { page } = opened;
  for (const label of ['curl', 'CLI', 'JavaScript', 'Python', 'Ruby', 'Go', 'PHP']) {
    await page.getByRole('radio', { name: label, exact: true }).check();
    expect(await page.locator('.tabs').first().locator('pre:visible').count(), label).toBe(1);
  }
  expect(await page.locator('.ask, .copy, .theme-button, .try form').filter({ visible: true }).count()).toBe(
    0,
  );
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Guides' }).click();
  expect(await page.locator('h1').textContent()).toBe('Quick start');
});
