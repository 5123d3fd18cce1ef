import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { INSTALL_MS_MAX, launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type InspectorUnderTest, inspectorUnderTest } from './inspector-under-test.ts';

/** Ten thousand domains and as many events: only what can be seen is in the document, and only a part is asked for. */
const ROWS = 10_000;
/** Those that fit into the window, and some to spare. */
const RENDERED_MAX = 40;

let browser: Browser | null;
let under_test: InspectorUnderTest;

type Row = Record<string, string | number | null>;

beforeAll(async () => {
  browser = await launchChromium();
  under_test = await inspectorUnderTest(browser);
  await under_test.add('made.acme.com');
  await under_test.emulator.clock.advance(0);
  const snapshot = (await under_test.control('GET /export')).body as unknown as {
    tables: Record<string, Row[]>;
  };
  const { domains = [], events = [] } = snapshot.tables;
  const [domain = {}] = domains;
  const [event = {}] = events;
  snapshot.tables['jobs'] = [];
  snapshot.tables['lanes'] = [];
  snapshot.tables['routes'] = [];
  snapshot.tables['domains'] = many((place, digits) => ({
    ...domain,
    id: `dom_${digits}`,
    hostname: `host-${digits}.acme.com`,
    reversed_hostname: [...`host-${digits}.acme.com`].reverse().join(''),
    connect_token: `token${digits}`,
    created_at: Number(domain['created_at']) + place,
  }));
  snapshot.tables['events'] = many((place, digits) => ({
    ...event,
    id: `evt_${digits}`,
    domain_id: `dom_${digits}`,
    hostname: `host-${digits}.acme.com`,
    created_at: Number(event['created_at']) + place,
  }));
  const { status } = await under_test.control('POST /import', snapshot);
  expect(status).toBe(200);
}, INSTALL_MS_MAX);

beforeEach(({ skip }) => {
  if (browser === null) skip(NO_CHROMIUM);
});

afterAll(async () => {
  await browser?.close();
  await under_test[Symbol.asyncDispose]();
});

function many(row: (place: number, digits: string) => Row): Row[] {
  return Array.from({ length: ROWS }, (_, place) => row(place, String(place).padStart(5, '0')));
}

const rendered = (page: Page) => page.getByRole('listitem').count();
const top = (page: Page) => page.locator('[data-place] .row-more, [data-place] .row-main').allTextContents();

test.each([
  ['domains', '/domains'],
  ['events', '/events'],
])('%s: all can be reached, and few are rendered', async (_, view) => {
  await under_test.open(view, async (page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByText('host-09999.acme.com').waitFor();
    expect(await page.locator('.count').textContent()).toBe('10,000');
    expect(await rendered(page)).toBeLessThanOrEqual(RENDERED_MAX);
    expect(await page.getByRole('listitem').first().getAttribute('aria-setsize')).toBe(String(ROWS));

    await page.locator('.rows').evaluate('document.querySelector(".rows").scrollTop = 5000 * 60');
    await expect.poll(() => top(page)).toContain('host-04995.acme.com');
    expect(await rendered(page)).toBeLessThanOrEqual(RENDERED_MAX);

    await page.locator('.rows a[tabindex="0"]').focus();
    await page.keyboard.press('End');
    await page.getByText('host-00000.acme.com').waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.innerText'))
      .toContain('host-00000.acme.com');
    expect(await rendered(page)).toBeLessThanOrEqual(RENDERED_MAX);

    const list = new RegExp(`/_emulator${view}\\?`);
    expect(asked.filter((url) => list.test(url) && !url.includes('limit=200'))).toEqual([]);
  });
});

test('a filter finds one of them, and its end gives all of them back', async () => {
  await under_test.open('/domains', async (page) => {
    await page.getByText('host-09999.acme.com').waitFor();
    await page.getByLabel('Hostname or id').fill('host-01234');
    await expect.poll(() => rendered(page)).toBe(1);
    expect(await page.locator('.count').textContent()).toBe('1');
    await page.getByLabel('Hostname or id').fill('');
    await expect.poll(() => page.locator('.count').textContent()).toBe('10,000');
  });
});

test('a row that is in hand stays in hand while newer ones come', async () => {
  await under_test.open('/domains', async (page) => {
    await page.getByText('host-09999.acme.com').waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('j');
    const in_hand = () => page.evaluate<string>('document.activeElement.innerText');
    await expect.poll(in_hand).toContain('host-09998');
    await under_test.add('newer.acme.com');
    await expect.poll(() => page.locator('.count').textContent()).toBe('10,001');
    expect(await in_hand()).toContain('host-09998');
    await page.keyboard.press('j');
    await expect.poll(in_hand).toContain('host-09997');
  });
});
