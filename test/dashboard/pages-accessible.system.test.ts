import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DomainId } from '../../shared/core/ids.ts';
import { faults } from '../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { addTraffic } from './add-traffic.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/**
 * Opens every view in a real browser. Checks that axe finds no serious violation and that no view scrolls sideways. With
 * SCREENSHOTS=<folder>, saves pictures there.
 */
const SCREENS = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 375, height: 740 },
];
const SCHEMES = ['light', 'dark'] as const;
const HOSTILE = '<img src=x onerror="document.title=1">';
const folder = process.env['SCREENSHOTS'];

let browser: Browser | null;
let dashboard: DashboardInBrowser;
let owner: SignedInPage | undefined;
const ids: Record<string, string> = {};

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser);
  await fill(dashboard);
  if (browser !== null) owner = await dashboard.signIn('owner');
});

afterAll(async () => {
  await owner?.[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

/** Creates data of every kind: domains in several states, failed deliveries, keys, members, and hostile text. */
async function fill({
  api,
  add,
  advance,
  answer,
  owner: by,
  account,
  context,
}: DashboardInBrowser): Promise<void> {
  ids['active'] = await add('careers.acme.com', { metadata: { customer: HOSTILE, plan: 'gold' } });
  ids['failed'] = await add('caa-forbids.initech.com');
  await add('dns-record-missing.hooli.com', { metadata: { customer: 42 } });
  await advance(60_000);
  answer(500, HOSTILE);
  ids['live'] = await add('shop.acme.com', { mode: 'live' });
  await add('jobs.umbrella.com');
  await add('status.stark.example.org');
  await advance(60_000);
  await api('PATCH /apps/current', { name: `Acme ${HOSTILE}`, whitelabel_host: 'domains.acme.com' }, 'live');
  await api('POST /keys', { name: 'ci', mode: 'test' });
  const { webhook_url } = await api('GET /apps/current');
  await api('PATCH /apps/current', { origin_url: new URL(webhook_url).origin }, 'live');
  await advance(15 * 60_000);
  const members = `/accounts/${account.account.id}/members`;
  await by.send(`POST ${members}`, { mail: 'ada@example.com', role: 'viewer' });
  const failed = (await api('GET /events?limit=100')).data.find(
    (event: { delivery: { status: string; attempts: number } }) =>
      event.delivery.attempts > 0 && event.delivery.status !== 'delivered',
  );
  ids['event'] = failed.id;
  await addTraffic(context, ids['active'] as DomainId);
}

type Act = (page: Page) => Promise<void>;
const press =
  (name: string): Act =>
  (page) =>
    page.getByRole('button', { name, exact: true }).first().click();

const VIEWS: [name: string, view: () => string, act?: Act | undefined, mode?: 'live' | 'test'][] = [
  ['home', () => ''],
  ['home live', () => '', undefined, 'live'],
  ['app menu', () => '', (page) => page.locator('.app-menu').click()],
  ['domains', () => '/domains'],
  ['domains live', () => '/domains', undefined, 'live'],
  ['no domains', () => '/domains?hostname=nothing'],
  ['add a domain', () => '/domains', press('Add domain')],
  ['domain active', () => `/domains/${ids['active']}`],
  ['domain failed', () => `/domains/${ids['failed']}`],
  ['domain live', () => `/domains/${ids['live']}`, undefined, 'live'],
  ['delete a domain', () => `/domains/${ids['active']}`, press('Delete…')],
  ['no such domain', () => '/domains/dom_nothing'],
  ['events', () => '/events', (page) => page.getByRole('checkbox').first().check()],
  ['redeliver many', () => '/events', press('Send failed again…')],
  [
    'event',
    () => `/events/${ids['event']}`,
    async (page) => {
      await page.getByText('1 header').first().click();
    },
  ],
  [
    'webhook',
    () => '/webhook',
    async (page) => {
      await press('Reveal')(page);
      await press('Send test event')(page);
      await page.getByText('Test event sent.').waitFor();
      await page.locator('.same-by summary').click();
    },
  ],
  ['keys', () => '/keys', (page) => page.locator('.same-by summary').click()],
  ['new key', () => '/keys', press('New key…')],
  ['app', () => '/app', (page) => page.locator('.probes summary').click()],
  [
    'app edited',
    () => '/app',
    async (page) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Another name');
    },
  ],
  ['plan', () => '/plan', undefined, 'live'],
  ['members', () => '/members'],
  ['invite', () => '/members', press('Invite…')],
  ['audit', () => '/audit'],
  ['sessions', () => '/sessions'],
];

test.for(VIEWS)(
  '%s has no serious violation, in light and dark, on desktop and phone',
  async ([name, view, act, mode = 'test'], { skip }) => {
    if (owner === undefined) return skip(NO_CHROMIUM);
    const { page, open } = owner;
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(view(), mode);
    await page.locator('main :is(h2, h3, table, .row, .empty-title):visible').first().waitFor();
    await act?.(page);
    await inspect(page, name);
  },
);

test('the sign-in page of the dashboard has no serious accessibility violation', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using visitor = await dashboard.visit();
  await visitor.page.goto(`${dashboard.url}/dashboard`);
  await visitor.page.getByLabel('Email address').fill('ada@example.com');
  await inspect(visitor.page, 'sign in');
  await press('Email me a sign-in link')(visitor.page);
  await visitor.page.getByText('a link is on its way').waitFor();
  await inspect(visitor.page, 'sign in sent');
  await visitor.page.goto(`${dashboard.url}/dashboard/sign-in#12345678901234567890`);
  await visitor.page.reload();
  await press('Sign in')(visitor.page);
  await visitor.page.getByText('has expired').waitFor();
  await inspect(visitor.page, 'link invalid');
});

async function inspect(page: Page, name: string): Promise<void> {
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await picture(page, `${name}-${screen.name}-${scheme}`);
      expect(
        await faults(page, { coloursOnly: scheme === 'dark' }),
        `${name}, ${screen.name}, ${scheme}`,
      ).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await picture(page, `${name}-forced`);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  // 640 pixels are the width of a window of 1280 pixels at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 450 });
  await picture(page, `${name}-zoomed`);
  // 320 pixels are the width of a window of 1280 pixels at 400 % zoom (WCAG 1.4.10).
  await page.setViewportSize({ width: 320, height: 600 });
  const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(sideways, `${name}: pixels to scroll sideways at a width of 320`).toBeLessThanOrEqual(0);
  // A view scrolls inside the window. If the window scrolled too, an empty area would follow the view.
  const down = await page.evaluate(
    "document.querySelector('.shell') && document.documentElement.scrollHeight - innerHeight",
  );
  expect(down ?? 0, `${name}: pixels to scroll the window down`).toBeLessThanOrEqual(0);
  await picture(page, `${name}-320`);
}

async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name.replaceAll(' ', '-')}.png`) });
}
