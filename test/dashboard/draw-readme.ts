import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { dashboardInBrowser } from './dashboard-in-browser.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../shared/pictures');
const HOUR_MS = 3_600_000;

/** Draws the pictures for the README: the real dashboard in Chromium, with domains that have gone through real states. */
export async function drawReadme(browser: Browser): Promise<void> {
  await using dashboard = await dashboardInBrowser(browser);
  for (const hostname of ['careers.acme.com', 'shop.globex.com', 'jobs.initech.com', 'help.umbrella.org']) {
    await dashboard.add(hostname, { mode: 'test', metadata: { customer: hostname.split('.')[1] ?? '' } });
  }
  await dashboard.advance(HOUR_MS);
  const broken = await dashboard.add('caa-forbids.hooli.com', { mode: 'test' });
  await dashboard.advance(HOUR_MS);
  await using owner = await dashboard.signIn('owner', { viewport: { width: 1280, height: 800 } });
  mkdirSync(FOLDER, { recursive: true });
  const draw = async (name: string) => {
    await owner.page.mouse.move(0, 0);
    await owner.page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  };
  await owner.open('', 'test');
  await owner.page.getByText(/^Needs attention/).waitFor();
  await draw('dashboard-home');
  await owner.open(`/domains/${broken}`, 'test');
  await owner.page.getByText('CAA records forbid the certificate').first().waitFor();
  await draw('dashboard-domain');
}
