import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAxe, faults } from '../../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import { type LabUnderTest, labUnderTest } from './lab-under-test.ts';

/**
 * Opens every view in a real browser. Checks that axe finds no violation and that no view scrolls sideways. With SCREENSHOTS=<folder>,
 * saves pictures there.
 */
const SCREENS = [
  { name: 'desktop', width: 1440, height: 900 },
  { name: 'phone', width: 375, height: 740 },
];
const SCHEMES = ['light', 'dark'] as const;
/** A script that returns how many pixels the page can be scrolled sideways. */
const SIDEWAYS = 'document.documentElement.scrollWidth - innerWidth';
const folder = process.env['SCREENSHOTS'];

let browser: Browser | null;
let underTest: LabUnderTest;
const ids: Record<string, string> = {};

beforeAll(async () => {
  browser = await launchChromium();
  underTest = await labUnderTest(browser);
  await fill(underTest);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

/** Creates data of every kind: domains that are pending, live, broken, held and deleted, failed deliveries, visits, and mail. */
async function fill({ emulator, api, control, add, answer, visit }: LabUnderTest): Promise<void> {
  const active = await add('careers.acme.com');
  const broken = await add('shop.globex.example.com');
  const failed = await add('caa-forbids.initech.com');
  await add('jobs.umbrella.com');
  await add('dns-record-missing.hooli.com');
  await api('PATCH /apps/current', { name: 'Acme Careers' }, emulator.keys.live);
  await emulator.clock.untilIdle();
  answer(500);
  await emulator.trigger(broken, 'dns_gone', { reason: 'dns_conflicting_record' });
  await add('status.stark.example.org');
  await add('xn--bcher-kva.example.com', 'live');
  await emulator.clock.advance('10s');
  const mailed = (await api(`GET /domains/${failed}`)).body;
  await fetch(`${mailed['connect_url']}/notify`, {
    method: 'POST',
    body: new URLSearchParams({ address: 'ada@example.com' }),
    headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
  });
  await emulator.hold('held.wayne.com', 'Looks like somebody else’s');
  await control('PUT /errors', { code: 'rate_limited', path: '/v1/keys', times: 3 });
  const agency = await control('POST /apps', { name: 'Agency', plan: 'growth' });
  await api('POST /domains', { hostname: 'www.agency.example.com' }, agency.body.test_key);
  for (const visited of ['/', '/jobs/42?utm_source=newsletter', '/assets/app.js']) {
    await visit('careers.acme.com', visited);
  }
  await visit('nobody.example.com', '/');
  Object.assign(ids, {
    active,
    broken,
    failed,
    held: await add('team.piedpiper.com'),
    event: known((await control('GET /events?delivery=pending&limit=1')).body.data[0]?.id),
    request: known(emulator.requests()[1]?.request_id),
    mail: known(emulator.mail()[0]?.message_id),
  });
  await emulator.trigger(ids['held'] ?? '', 'hold');
}

function known(id: string | undefined): string {
  if (id === undefined) throw new Error('no id to open');
  return encodeURIComponent(id);
}

const VIEWS: [name: string, view: () => string, act?: (page: Page) => Promise<void>][] = [
  ['home', () => ''],
  ['emulator', () => '/emulator'],
  ['seed', () => '/emulator', wrongSeed],
  ['import', () => '/emulator', (page) => page.getByRole('button', { name: 'Import…' }).click()],
  ['account', () => '/emulator', (page) => page.getByRole('button', { name: 'Account…' }).click()],
  ['reset', () => '/emulator', (page) => page.getByRole('button', { name: 'Reset…' }).click()],
  ['domains', () => '/domains'],
  ['domain active', () => `/domains/${ids['active']}`],
  [
    'domain broken',
    () => `/domains/${ids['broken']}`,
    (page) => page.locator('.triggers button').first().focus(),
  ],
  [
    'delete',
    () => `/domains/${ids['active']}`,
    (page) => page.getByRole('button', { name: 'Delete…' }).click(),
  ],
  ['domain failed', () => `/domains/${ids['failed']}`],
  ['domain held', () => `/domains/${ids['held']}`],
  ['no such domain', () => '/domains/dom_nothing'],
  ['events', () => '/events'],
  ['event', () => `/events/${ids['event']}`, (page) => page.getByRole('button', { name: 'Check' }).click()],
  ['no events', () => '/events?domain_id=dom_nothing'],
  ['requests', () => '/requests'],
  [
    'request',
    () => `/requests/${ids['request']}`,
    (page) => page.getByRole('button', { name: 'Replay' }).click(),
  ],
  ['mail', () => '/mail'],
  ['one mail', () => `/mail/${ids['mail']}`],
  ['faults', () => '/faults'],
  ['clock', () => '/domains', (page) => page.keyboard.press('c')],
  ['help', () => '/domains', (page) => page.keyboard.press('?')],
];

async function wrongSeed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Apply a seed…' }).click();
  await page.getByLabel('Seed (YAML or JSON)').fill('domains:\n  - hostname: co.uk\n    statsu: active\n');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'seed.yaml:3' }).waitFor();
}

test.for(VIEWS)(
  '%s has no violation, in light and dark, on desktop and phone',
  async ([name, view, act], { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    await underTest.open(view(), async (page) => {
      await page.locator('.connection.live').waitFor();
      await page.locator('main :is(h2, h3, .row, .empty-title):visible').first().waitFor();
      await act?.(page);
      await addAxe(page);
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        for (const screen of SCREENS) {
          await page.setViewportSize(screen);
          await page.evaluate(
            'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
          );
          await picture(page, `${name}-${screen.name}-${scheme}`);
          expect(await page.evaluate(SIDEWAYS), `${name}, ${screen.name}`).toBeLessThanOrEqual(0);
          expect(
            await faults(page, { coloursOnly: scheme === 'dark', everyImpact: true }),
            `${name}, ${screen.name}, ${scheme}`,
          ).toEqual([]);
        }
      }
      await page.setViewportSize({ width: 320, height: 600 });
      expect(
        await page.evaluate(SIDEWAYS),
        `${name}: pixels to scroll sideways at a width of 320`,
      ).toBeLessThanOrEqual(0);
      await picture(page, `${name}-320`);
    });
  },
);

async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name.replaceAll(' ', '-')}.png`) });
}
