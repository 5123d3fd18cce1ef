import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/start.ts';
import { chromiumOptions, INSTALL_MS_MAX, NO_CHROMIUM } from '../connect/chromium.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { freePort } from '../fixtures/free-port.ts';
import { installApart } from '../fixtures/install-apart.ts';
import { openSearch, SEARCH_QUERIES, searchMs } from '../http/search-times.ts';
import { auditPage } from './lighthouse-audit.ts';

/**
 * Runs Lighthouse on the documentation, and measures its search. `npm run soak -- lighthouse-docs` prints the scores and times. Performance
 * depends on the machine, so the test prints it without a check. The targets are a score of 95, and 50 ms for each result of the search.
 */
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const installed = installApart(path.resolve(import.meta.dirname, '../lighthouse'));
const options = chromiumOptions();

describeUnlessMissing(
  'missing' in installed ? installed.missing : options === null ? NO_CHROMIUM : null,
  'Lighthouse on the documentation',
  () => {
    let emulator: Emulator;
    let browser: Browser;
    let port: number;

    beforeAll(async () => {
      emulator = await startEmulator();
      port = await freePort();
      browser = await chromium.launch({
        ...options,
        args: [...(options?.args ?? []), `--remote-debugging-port=${port}`],
      });
    }, INSTALL_MS_MAX);

    afterAll(async () => {
      await browser.close();
      await emulator[Symbol.asyncDispose]();
    });

    test.each([
      ['home', '/docs'],
      ['a guide', '/docs/webhooks'],
      ['a reference page', '/docs/api/create-domain'],
    ])(
      'Lighthouse finds no fault of accessibility, best practices or search engines on the page %s',
      async (name, page) => {
        if ('missing' in installed) throw new Error(installed.missing);
        const url = emulator.url + page;
        const { scores, metrics, faults, shownUrl } = await auditPage(
          installed.folder,
          url,
          port,
          CATEGORIES,
        );
        const words = CATEGORIES.map((each) => `${each} ${scores[each] ?? 'none'}`);
        console.log(`lighthouse ${name}: ${words.join(', ')} (${metrics.join(', ')})`);
        expect(shownUrl).toBe(url);
        expect(faults).toEqual([]);
      },
    );

    test('the search of the documentation site works without a network, once it has loaded', async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openSearch(page, emulator.url);
      await context.setOffline(true);
      const times: number[] = [];
      for (const query of SEARCH_QUERIES) {
        times.push(await searchMs(page, query));
        expect(await page.locator('[role="option"]').count(), query).toBeGreaterThan(0);
      }
      times.sort((a, b) => a - b);
      const shown = times.map((ms) => ms.toFixed(1)).join(', ');
      console.log(`search, from key to drawn results, ${times.length} queries: ${shown} ms`);
      await context.close();
    });
  },
);
