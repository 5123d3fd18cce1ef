import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { bringAxe } from '../connect/accessibility.ts';
import { NO_CHROMIUM } from '../connect/chromium.ts';
import type { AppPage, ShownPage } from './app-page.ts';

export type OpenOptions = BrowserContextOptions & { ignored?: RegExp };
export const DEADLINE_MS = 15_000;

/** Opens the app's page in the shared browser. Fails if the page reports an error, such as a violation of its content security policy. */
export async function openPage(
  { browser, site }: { browser: Browser | null; site: AppPage },
  shown: ShownPage,
  work: (page: Page) => Promise<void>,
  { ignored = /$^/, ...contextOptions }: OpenOptions,
): Promise<void> {
  if (browser === null) throw new Error(NO_CHROMIUM);
  const context = await browser.newContext(contextOptions);
  try {
    await bringAxe(context);
    const page = await context.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.clock.install();
    await page.goto(site.show(shown));
    await work(page);
    expect(problems.filter((text) => !ignored.test(text))).toEqual([]);
  } finally {
    await context.close();
  }
}
