import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { launchChromium } from '../../connect/chromium.ts';
import { serveAppPage } from '../../embed/app-page.ts';
import { tokenFor } from '../../embed/tokens.ts';
import { root } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';

const ROUNDS = 15;
const SIZE_KB_MAX = 15;
/** A script that defines an empty component, for comparison. */
const EMPTY = "customElements.define('x-empty', class extends HTMLElement {});";

/** Measures the size of `<nameplate-connect>`, and how soon it shows the records of a domain in an app's page. */
export async function connectComponent(): Promise<BenchRow[]> {
  const browser = await launchChromium();
  try {
    return [size(), ...(browser === null ? [] : [await start(browser)])];
  } finally {
    await browser?.close();
  }
}

function size(): BenchRow {
  const value = gzippedKb(readFileSync(path.join(root, 'dist/connect.js')));
  const target = { text: `${SIZE_KB_MAX} KB`, isMet: value <= SIZE_KB_MAX };
  return { name: 'connect component, gzipped', unit: 'KB', value, floor: gzippedKb(EMPTY), target };
}

function gzippedKb(code: string | Buffer): number {
  return gzipSync(code).length / 1024;
}

/**
 * Measures when the component shows its records. The baseline is the time at which the page itself is ready, with the component's script
 * but without its request.
 */
async function start(browser: Browser): Promise<BenchRow> {
  const emulator = await startEmulator();
  const site = await serveAppPage();
  try {
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });
    const { id } = await client.domains.create({ hostname: 'careers.acme.com' });
    const url = site.show({
      token: await tokenFor(emulator, id, {}, emulator.keys.test),
      baseUrl: emulator.url,
    });
    const times: { records: number; page: number }[] = [];
    // The first round fills caches and is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      const time = await page.evaluate<{ records: number; page: number }>(`(${MEASURE})()`);
      if (round > 0) times.push(time);
      await context.close();
    }
    return {
      name: 'connect component, first records',
      unit: 'ms',
      value: median(times.map(({ records }) => records)),
      floor: median(times.map((time) => time.page)),
      target: null,
    };
  } finally {
    await site[Symbol.asyncDispose]();
    await emulator.close();
  }
}

/** Returns when the component shows its headline and when the page was ready, in milliseconds since the navigation began. */
const MEASURE = `() => new Promise((resolve) => {
  const [{ domContentLoadedEventEnd: page }] = performance.getEntriesByType('navigation');
  const look = () => {
    const shown = document.querySelector('nameplate-connect').shadowRoot?.querySelector('.headline');
    if (shown) resolve({ records: performance.now(), page });
    else requestAnimationFrame(look);
  };
  look();
})`;
