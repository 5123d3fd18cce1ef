import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { bringAxe } from './accessibility.ts';

const DEADLINE_MS = 15_000;

/** Opens an address, gives the page away, and closes it. */
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
    // The page's own time can be moved on; otherwise it runs as ever.
    await page.clock.install();
    await page.goto(url);
    await work(page);
  } finally {
    await context.close();
  }
}

/** What the page comes to say by its own time. */
export const soon = (read: () => Promise<unknown>) => expect.poll(read, { timeout: DEADLINE_MS });

/** The same, however often the page has to look meanwhile. */
export const later = (page: Page, read: () => Promise<unknown>) =>
  soon(async () => {
    await page.clock.runFor(10_000);
    return read();
  });

/** The same on a page without script, which is loaded again by hand. */
export const onReload = (page: Page, read: () => Promise<unknown>) =>
  soon(async () => {
    await page.reload();
    return read();
  });

export const headline = (page: Page) => page.locator('#headline').textContent();

/** What a screen reader was told last. */
export const said = (page: Page) => page.locator('#announcer').textContent();
