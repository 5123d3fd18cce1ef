import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { bringAxe } from './accessibility.ts';

const DEADLINE_MS = 15_000;

/** Opens a URL in a new page, passes the page to `work`, and closes the page. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    await bringAxe(context);
    const page = await context.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    // Replaces the page's clock, so that a test can advance it. Otherwise the clock runs normally.
    await page.clock.install();
    await page.goto(url);
    await work(page);
  } finally {
    await context.close();
  }
}

/** Polls until `read` returns the expected value. Does not move the page's clock. */
export const soon = (read: () => Promise<unknown>) => expect.poll(read, { timeout: DEADLINE_MS });

/** Polls like `soon`, and advances the page's clock each time. */
export const later = (page: Page, read: () => Promise<unknown>) =>
  soon(async () => {
    await page.clock.runFor(10_000);
    return read();
  });

/** Polls like `soon`, and reloads the page each time, so that it works on pages without script. */
export const onReload = (page: Page, read: () => Promise<unknown>) =>
  soon(async () => {
    await page.reload();
    return read();
  });

export const headline = (page: Page) => page.locator('#headline').textContent();

/** Returns the last announcement for screen readers. */
export const said = (page: Page) => page.locator('#announcer').textContent();
