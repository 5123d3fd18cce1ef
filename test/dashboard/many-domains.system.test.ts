import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { autocommit } from '../../shared/store/store.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/**
 * Tests that search and scrolling show rows of 100 000 domains within six frames of the response, which are 100 ms at 60 frames a second.
 * The document must contain few rows. The tests count frames and not milliseconds, because a busy machine draws each frame later.
 */
const ROWS = 100_000;
const BATCH = 500;
const FRAMES_MAX = 6;
/** Maximum number of rows in the document: the rows that fit into the window, and some further rows. */
const RENDERED_MAX = 45;
const PAGES_SCROLLED = 40;

let browser: Browser | null;
let dashboard: DashboardInBrowser;
let developer: SignedInPage | undefined;

beforeAll(async () => {
  browser = await launchChromium();
  if (browser === null) return;
  dashboard = await dashboardInBrowser(browser);
  await dashboard.add('made.example.com');
  const { db } = autocommit(dashboard.context.store);
  const made = await db.selectFrom('domains').selectAll().executeTakeFirstOrThrow();
  for (let start = 0; start < ROWS; start += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, place) => {
      const digits = String(start + place).padStart(6, '0');
      const hostname = `host-${digits}.example.com`;
      return {
        ...made,
        id: `${made.id.slice(0, -6)}${digits}` as typeof made.id,
        hostname,
        reversed_hostname: [...hostname].reverse().join(''),
        connect_token: `token${digits}`,
        created_at: made.created_at - ROWS + start + place,
      };
    });
    await db.insertInto('domains').values(batch).execute();
  }
  developer = await dashboard.signIn('developer');
});

afterAll(async () => {
  await developer?.[Symbol.asyncDispose]();
  await dashboard?.[Symbol.asyncDispose]();
  await browser?.close();
});

/**
 * Returns the number of frames that the browser drew between the end of the latest response with domains and the appearance of an element.
 * @param act an action that makes the page request domains.
 */
async function shownAfter(page: Page, selector: string, act: () => Promise<void>): Promise<number> {
  const shown = page.evaluate<number>(`new Promise((resolve) => {
    const frames = [];
    let isOver = false;
    const draw = (at) => {
      frames.push(at);
      if (!isOver) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return;
      observer.disconnect();
      const shownAt = performance.now();
      // Waits a moment, because the browser reports a request slightly after the request's end.
      setTimeout(() => {
        const reads = performance.getEntriesByType('resource').filter(({ name }) => /\\/domains\\?/.test(name));
        const { responseEnd } = reads.at(-1);
        isOver = true;
        resolve(frames.filter((at) => at > responseEnd && at < shownAt).length);
      }, 50);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
  })`);
  await act();
  return shown;
}

test('a search for domains shows its rows within six frames of the response', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.locator('.count').filter({ hasText: '1,000+' }).waitFor();
  expect(await page.locator('[data-place]').count()).toBeLessThanOrEqual(RENDERED_MAX);
  const field = page.getByLabel('Hostname begins with');
  const frames: number[] = [];
  for (const digits of ['012345', '054321', '099999']) {
    await field.fill('');
    await page.locator('a.row', { hasText: 'made.example.com' }).waitFor();
    const selector = `a.row[href*="${digits}?hostname"]`;
    frames.push(await shownAfter(page, selector, () => field.fill(`host-${digits}`)));
  }
  expect(middleOf(frames)).toBeLessThanOrEqual(FRAMES_MAX);
});

test('scrolling the list of domains shows each further page within six frames of its response, however many there are', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.locator('a.row', { hasText: 'made.example.com' }).focus();
  const frames: number[] = [];
  for (let pages = 1; pages <= PAGES_SCROLLED; pages++) {
    const selector = `[data-place="${pages * 100}"] a`;
    // A row gets the focus only after it is drawn. Until then, a key press would have no effect.
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("[data-place]") !== null'), {
        timeout: 10_000,
      })
      .toBe(true);
    frames.push(await shownAfter(page, selector, () => page.keyboard.press('End')));
  }
  expect(await page.locator('[data-place]').count()).toBeLessThanOrEqual(RENDERED_MAX);
  // Other processes can delay single pages. So the test compares the medians of the first ten and of the last ten pages with the limit.
  expect(middleOf(frames.slice(0, 10))).toBeLessThanOrEqual(FRAMES_MAX);
  expect(middleOf(frames.slice(-10))).toBeLessThanOrEqual(FRAMES_MAX);
});

/** Scrolls down in each of 90 frames. Returns how many pixels of the list had neither a row nor a placeholder in each frame. */
const FLING = `new Promise((resolve) => {
  const list = document.querySelector('.rows');
  const uncovered = [];
  const step = () => {
    const { top, bottom } = list.getBoundingClientRect();
    const places = [...list.querySelectorAll('[data-place]')].map((place) => place.getBoundingClientRect());
    const first = Math.min(...places.map((place) => place.top));
    const last = Math.max(...places.map((place) => place.bottom));
    uncovered.push(Math.round(Math.max(0, first - top) + Math.max(0, bottom - last)));
    list.scrollTop += 6000;
    if (uncovered.length === 90) resolve(uncovered);
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

test('a fast scroll of the list of domains leaves no gap, reads one page at a time, and requests no known rows again', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.locator('a.row', { hasText: 'made.example.com' }).waitFor();
  const uncovered = await page.evaluate<number[]>(FLING);
  expect(Math.max(...uncovered), 'pixels of a frame without any row').toBe(0);
  const reads = await page.evaluate<{ begun: number; ended: number }[]>(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\/domains\\?/.test(name))
      .map(({ startTime, responseEnd }) => ({ begun: startTime, ended: responseEnd }))`,
  );
  expect(reads.length).toBeGreaterThan(1);
  const overlaps = reads.filter(({ begun }) =>
    reads.some((other) => other.begun < begun && begun < other.ended),
  );
  expect(overlaps).toEqual([]);
  await page.route('**/domains?*', (route) => route.abort());
  await page.evaluate("document.querySelector('.rows').scrollTop = 0");
  await page.locator('a.row', { hasText: 'made.example.com' }).waitFor();
  await page.unroute('**/domains?*');
});

function middleOf(frames: readonly number[]): number {
  return frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)] ?? Number.POSITIVE_INFINITY;
}
