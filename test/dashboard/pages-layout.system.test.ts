import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import {
  bidiFaults,
  forcedColourFaults,
  LONG_HOSTNAME,
  LONG_NAME,
  layoutFaults,
  layoutShift,
  RTL_NAME,
  tabFaults,
} from '../connect/layout-faults.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/**
 * Tests the dashboard at 200 and 400 % zoom, with forced colours, and with the keyboard alone. Names are long,
 * or run from right to left.
 */
let browser: Browser | null;
let dashboard: DashboardInBrowser;
let owner: SignedInPage | undefined;
const ids: Record<string, string> = {};

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser);
  const { api, add, advance, answer } = dashboard;
  ids['long'] = await add(LONG_HOSTNAME, { metadata: { customer: LONG_NAME, note: RTL_NAME } });
  ids['broken'] = await add('caa-forbids.acme.com', { metadata: { customer: RTL_NAME } });
  await add('dns-record-missing.acme.com', { metadata: { [LONG_NAME]: LONG_NAME } });
  await advance(60_000);
  answer(500, `${LONG_NAME} ${RTL_NAME}`);
  await add('careers.acme.com');
  await advance(15 * 60_000);
  await api('POST /keys', { name: LONG_NAME, mode: 'test' });
  await api('POST /keys', { name: RTL_NAME, mode: 'test' });
  const events = (await api('GET /events?limit=100')).data;
  ids['event'] = events.find(({ delivery }: { delivery: { attempts: number } }) => delivery.attempts > 1).id;
  if (browser !== null)
    owner = await dashboard.signIn('owner', { deviceScaleFactor: 2, reducedMotion: 'reduce' });
});

afterAll(async () => {
  await owner?.[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

const PAGES: [name: string, view: () => string][] = [
  ['home', () => ''],
  ['domains', () => '/domains'],
  ['a broken domain', () => `/domains/${ids['broken']}`],
  ['a domain with a long name', () => `/domains/${ids['long']}`],
  ['events', () => '/events'],
  ['an event', () => `/events/${ids['event']}`],
  ['the settings', () => '/app'],
  ['keys', () => '/keys'],
  ['webhook', () => '/webhook'],
  ['members', () => '/members'],
];

test.for([
  ['long', LONG_NAME],
  ['right-to-left', RTL_NAME],
] as const)('no page of the dashboard has a fault of layout with %s names', async ([, name], { skip }) => {
  if (owner === undefined) return skip(NO_CHROMIUM);
  const { page, open } = owner;
  await dashboard.api('PATCH /apps/current', { name }, 'live');
  for (const [title, view] of PAGES) {
    await open(view());
    await loaded(page);
    expect.soft(await layoutFaults(page), title).toEqual([]);
    expect.soft(await bidiFaults(page), title).toEqual([]);
  }
});

test('every state and choice of the dashboard is visible with forced colours', async ({ skip }) => {
  if (owner === undefined) return skip(NO_CHROMIUM);
  const { page, open } = owner;
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [title, view] of PAGES) {
    await open(view());
    await loaded(page);
    expect.soft(await forcedColourFaults(page), title).toEqual([]);
  }
});

test.for([1280, 375])(
  'at %i pixels, Tab reaches the controls of each page of the dashboard in their order, and every stop is visible',
  async (width, { skip }) => {
    if (owner === undefined) return skip(NO_CHROMIUM);
    const { page, open } = owner;
    await page.setViewportSize({ width, height: 900 });
    for (const [title, view] of PAGES) {
      await open(view());
      await loaded(page);
      const { found, stops } = await tabFaults(page);
      expect.soft(found, title).toEqual([]);
      expect(stops.length, title).toBeGreaterThan(8);
    }
  },
);

test.for([
  ['the failing domains are late', /status=cert_failed/],
  ['the traffic is late', /traffic/],
  ['the events are late', /events/],
] as const)('the parts of the home page keep their places when %s', async ([, late], { skip }) => {
  if (owner === undefined) return skip(NO_CHROMIUM);
  const url = `${dashboard.url}/dashboard/${dashboard.appId}/test`;
  expect(await layoutShift(owner.page, url, late)).toBeLessThan(0.1);
});

test('the sign-in page has no fault of layout, forced colours or keyboard', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using visitor = await dashboard.visit({ deviceScaleFactor: 2, reducedMotion: 'reduce' });
  await visitor.page.goto(`${dashboard.url}/dashboard`);
  await visitor.page.getByLabel('Email address').waitFor();
  expect.soft(await layoutFaults(visitor.page)).toEqual([]);
  expect.soft(await forcedColourFaults(visitor.page)).toEqual([]);
  expect.soft((await tabFaults(visitor.page)).found).toEqual([]);
});

async function loaded(page: Page): Promise<void> {
  await page.locator('main :is(h2, h3, table, .row, .empty-title):visible').first().waitFor();
  await page.waitForLoadState('networkidle');
}
