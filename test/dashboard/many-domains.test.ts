import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTALL_MS_MAX, launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/** 100 000 domains: search and scrolling show rows within 100 ms of the server's response, and few rows are in the document. */
const ROWS = 100_000;
const BATCH = 500;
const SHOWN_MS_MAX = 100;
/** The rows that fit into the window, plus spare ones. */
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
  const { db } = dashboard.context.store;
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
}, INSTALL_MS_MAX);

afterAll(async () => {
  await developer?.[Symbol.asyncDispose]();
  await dashboard?.[Symbol.asyncDispose]();
  await browser?.close();
});

/**
 * Returns the milliseconds between the end of the latest response with domains and the appearance of an element.
 * @param act makes the page read.
 */
async function shownAfter(page: Page, selector: string, act: () => Promise<void>): Promise<number> {
  const shown = page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return;
      observer.disconnect();
      const shownAt = performance.now();
      // The browser reports a request a little after its end.
      setTimeout(() => {
        const reads = performance.getEntriesByType('resource').filter(({ name }) => /\\/domains\\?/.test(name));
        resolve(shownAt - reads.at(-1).responseEnd);
      }, 50);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  })`);
  await act();
  return shown;
}

test('a search shows its rows within 100 ms of the response', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.locator('.count').filter({ hasText: '100,001' }).waitFor();
  expect(await page.locator('[data-place]').count()).toBeLessThanOrEqual(RENDERED_MAX);
  const field = page.getByLabel('Hostname begins with');
  const times: number[] = [];
  for (const digits of ['012345', '054321', '099999']) {
    await field.fill('');
    await page.locator('a.row', { hasText: 'made.example.com' }).waitFor();
    const selector = `a.row[href*="${digits}?hostname"]`;
    times.push(await shownAfter(page, selector, () => field.fill(`host-${digits}`)));
  }
  expect(Math.min(...times)).toBeLessThan(SHOWN_MS_MAX);
});

test('scrolling shows each further page within 100 ms of its response', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.locator('a.row', { hasText: 'made.example.com' }).focus();
  const times: number[] = [];
  for (let pages = 1; pages <= PAGES_SCROLLED; pages++) {
    const selector = `[data-place="${pages * 100}"] a`;
    times.push(await shownAfter(page, selector, () => page.keyboard.press('End')));
  }
  expect(await page.locator('[data-place]').count()).toBeLessThanOrEqual(RENDERED_MAX);
  // The median, because other processes on the machine delay single frames.
  const median = times.toSorted((a, b) => a - b)[PAGES_SCROLLED / 2];
  expect(median).toBeLessThan(SHOWN_MS_MAX);
  expect(times.at(-1), 'the last page is as fast as the first ones').toBeLessThan(10 * SHOWN_MS_MAX);
});
