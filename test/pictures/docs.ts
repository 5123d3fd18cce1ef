import type { Browser } from 'playwright-core';
import { emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';
import { at, drawSurface } from './draw-surface.ts';

/** The pages of the documentation, each with the name of its picture. */
const PAGES = {
  'docs-home': '',
  'docs-guide': '/quickstart',
  'docs-concept': '/how-it-works',
  'docs-table': '/webhooks',
  states: '/states',
  'docs-api': '/api/create-domain',
  'docs-api-index': '/api',
  'docs-error': '/errors/domain_limit_reached',
  'docs-reason': '/reasons/caa_forbids',
  'docs-errors': '/errors',
  'docs-reasons': '/reasons',
  'docs-cli': '/cli',
  'docs-glossary': '/glossary',
  'docs-404': '/guides/rate_limited',
};

export async function drawDocs(browser: Browser): Promise<void> {
  await using underTest = await emulatorUnderTest();
  const docs = `${underTest.emulator.url}/docs`;
  await drawSurface(browser, {
    pictures: [
      ...Object.entries(PAGES).map(([name, path]) => at(name, docs + path)),
      at('docs-search', docs, async (page) => {
        await page.keyboard.press('/');
        await page.keyboard.type('rotate');
        await page.getByRole('option').first().waitFor();
      }),
    ],
  });
}
