import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { INSTALL_MS_MAX, launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import { type InspectorUnderTest, inspectorUnderTest } from './lab-under-test.ts';

/** Ten thousand domains and as many events: the document holds only the visible rows, and the page requests only a part. */
const ROWS = 10_000;
/** The rows that fit into the window, plus spare ones. */
const RENDERED_MAX = 40;

let browser: Browser | null;
let underTest: InspectorUnderTest;

type Row = Record<string, string | number | null>;

beforeAll(async () => {
  browser = await launchChromium();
  underTest = await inspectorUnderTest(browser);
  await underTest.add('made.acme.com');
  await underTest.emulator.clock.advance(0);
  const snapshot = (await underTest.control('GET /export')).body as unknown as {
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
  const { status } = await underTest.control('POST /import', snapshot);
  expect(status).toBe(200);
}, INSTALL_MS_MAX);

beforeEach(({ skip }) => {
  if (browser === null) skip(NO_CHROMIUM);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

function many(row: (place: number, digits: string) => Row): Row[] {
  return Array.from({ length: ROWS }, (_, place) => row(place, String(place).padStart(5, '0')));
}

const rendered = (page: Page) => page.getByRole('listitem').count();
const top = (page: Page) => page.locator('[data-place] .row-more, [data-place] .row-main').allTextContents();

test.each([
  ['domains', '/domains'],
  ['events', '/events'],
])('%s: every row can be reached, and few are rendered', async (_, view) => {
  await underTest.open(view, async (page) => {
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

/**
 * Scrolls through all rows frame by frame, and reports for each frame the part of the list that no row or placeholder covered, and when the
 * last frame was drawn.
 */
const FLING = `new Promise((resolve) => {
  const list = document.querySelector('.rows');
  const uncovered = [];
  const step = () => {
    const { top, bottom } = list.getBoundingClientRect();
    const places = [...list.querySelectorAll('[data-place]')].map((place) => place.getBoundingClientRect());
    const first = Math.min(...places.map((place) => place.top));
    const last = Math.max(...places.map((place) => place.bottom));
    uncovered.push(Math.round(Math.max(0, first - top) + Math.max(0, bottom - last)));
    const before = list.scrollTop;
    list.scrollTop += 6000;
    if (list.scrollTop === before) resolve({ uncovered, endedAt: performance.now() });
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

/** The requests of a list by the page's own clock, so that a busy machine cannot reorder them on the way to the test. */
const requestsOf = (page: Page, view: string) =>
  page.evaluate<{ begun: number; ended: number }[]>(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => name.includes('/_emulator${view}?'))
      .map(({ startTime, responseEnd }) => ({ begun: startTime, ended: responseEnd }))`,
  );

test.each([
  ['domains', '/domains'],
  ['events', '/events'],
])(
  '%s: a fast scroll through all rows requests one page at a time, and shows the end at once',
  async (_, view) => {
    await underTest.open(view, async (page) => {
      await page.getByText('host-09999.acme.com').waitFor();
      const { uncovered, endedAt } = await page.evaluate<{ uncovered: number[]; endedAt: number }>(FLING);
      await page.getByText('host-00000.acme.com').waitFor();
      const requests = await requestsOf(page, view);
      expect(uncovered.length).toBeGreaterThan(90);
      expect(Math.max(...uncovered), 'pixels of a frame without any row').toBe(0);
      const overlaps = requests.filter(({ begun }) =>
        requests.some((other) => other.begun < begun && begun < other.ended),
      );
      expect(overlaps).toEqual([]);
      const after = requests.filter(({ begun }) => begun > endedAt);
      expect(after.length, 'requests between the last frame and the last row').toBeLessThanOrEqual(2);
    });
  },
);

test('rows seen before show at once on the way back, until something changes', async () => {
  await underTest.open('/domains', async (page) => {
    await page.getByText('host-09999.acme.com').waitFor();
    let asked = 0;
    page.on('request', (request) => request.url().includes('/_emulator/domains?') && asked++);
    await page.evaluate('document.querySelector(".rows").scrollTop = 5000 * 60');
    await page.getByText('host-04995.acme.com').waitFor();
    expect(asked).toBe(1);
    await page.evaluate('document.querySelector(".rows").scrollTop = 0');
    await page.getByText('host-09999.acme.com').waitFor();
    expect(asked).toBe(1);
    await underTest.add('changed.acme.com');
    await expect.poll(() => page.locator('.count').textContent()).toBe('10,001');
    const before = asked;
    await page.evaluate('document.querySelector(".rows").scrollTop = 5000 * 60');
    await expect.poll(() => asked).toBeGreaterThan(before);
  });
});

test('a filter finds one row, and clearing it shows all rows again', async () => {
  await underTest.open('/domains', async (page) => {
    await page.getByText('host-09999.acme.com').waitFor();
    await page.getByLabel('Hostname or id').fill('host-01234');
    await expect.poll(() => rendered(page)).toBe(1);
    expect(await page.locator('.count').textContent()).toBe('1');
    await page.getByLabel('Hostname or id').fill('');
    await expect.poll(() => page.locator('.count').textContent()).toBe('10,001');
  });
});

test('the focused row stays focused while newer rows arrive', async () => {
  await underTest.open('/domains', async (page) => {
    await page.getByText('host-09999.acme.com').waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('j');
    const inHand = () => page.evaluate<string>('document.activeElement.innerText');
    await expect.poll(inHand).toContain('host-09998');
    await underTest.add('newer.acme.com');
    await expect.poll(() => page.locator('.count').textContent()).toBe('10,002');
    expect(await inHand()).toContain('host-09998');
    await page.keyboard.press('j');
    await expect.poll(inHand).toContain('host-09997');
  });
});
