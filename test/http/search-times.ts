import type { Page } from 'playwright-core';

/** Queries with results in the documentation: words of a title, a code, and words that occur together. */
export const SEARCH_QUERIES = [
  'webhook signature',
  'record missing',
  'dns_record_mismatch',
  'idempotency',
  'rotate secret',
  'cloudflare proxy',
  'expired',
  'rate limit',
  'verify python',
  'certificate renewal',
];

/** Opens the search of a page of the documentation, and waits until its index has loaded. */
export async function openSearch(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('domain');
  await page.locator('[role="option"]').first().waitFor();
}

/** Enters a query into the open search. Returns the milliseconds until the page shows the results. */
export function searchMs(page: Page, query: string): Promise<number> {
  return page.evaluate<number>(`(${MEASURE})(${JSON.stringify(query)})`);
}

const MEASURE = `(query) => new Promise((resolve) => {
  const input = document.querySelector('.search input');
  const list = document.querySelector('#results');
  input.value = query;
  const startedAt = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    resolve(performance.now() - startedAt);
  }).observe(list, { childList: true });
  input.dispatchEvent(new Event('input'));
})`;
