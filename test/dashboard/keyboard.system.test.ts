import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/** Tests that the dashboard can be used with the keyboard alone. */
let browser: Browser | null;
let dashboard: DashboardInBrowser;
let developer: SignedInPage | undefined;

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser);
  for (const hostname of ['a.example.com', 'b.example.com', 'c.example.com']) await dashboard.add(hostname);
  await dashboard.advance(60_000);
  if (browser !== null) developer = await dashboard.signIn('developer');
});

afterAll(async () => {
  await developer?.[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

/** A script that describes the focused element. `seen` is false if the element has no outline or no size. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  if (element === document.body) return { name: 'BODY', isSeen: true };
  const name = (element.getAttribute('aria-label') ?? element.innerText ?? '').trim();
  const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && width > 0 && height > 0;
  return { name: name || element.tagName, isSeen };
})()`;

async function tabThrough(page: Page): Promise<{ name: string; isSeen: boolean }[]> {
  const stops: { name: string; isSeen: boolean }[] = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<{ name: string; isSeen: boolean }>(FOCUSED);
    if (stop.name === 'BODY') break;
    stops.push(stop);
  }
  return stops;
}

test.for(['', '/domains', '/events', '/webhook', '/keys', '/app', '/members', '/audit', '/sessions'])(
  'Tab reaches all controls of %s, and every stop is visible',
  async (view, { skip }) => {
    if (developer === undefined) return skip(NO_CHROMIUM);
    const { page, open } = developer;
    await open(view);
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    const stops = await tabThrough(page);
    expect(stops[0]?.name).toBe('Skip to content');
    expect(stops.length).toBeGreaterThan(10);
    expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
  },
);

test('with the keyboard alone, a person opens a domain of the list, closes it, and returns to its row', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.locator('a.row').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('a.row:focus', { hasText: 'b.example.com' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'b.example.com' }).waitFor();
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Domains' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('a.row:focus', { hasText: 'b.example.com' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'b.example.com' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('a.row:focus', { hasText: 'b.example.com' }).waitFor();
  expect(await page.getByRole('heading', { name: 'b.example.com' }).count()).toBe(0);
});

test('g and the letter of a view open this view, and ⌘K finds a domain by its hostname', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  for (const [key, title] of [
    ['d', 'Domains'],
    ['e', 'Events'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  }
  await page.keyboard.press('Meta+k');
  await page.keyboard.type('b.exam');
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^b\.example\.com/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'b.example.com' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('J and K open the next and the previous domain of the list, and the page says where the domain is', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.getByRole('link', { name: /^b\.example\.com/ }).click();
  await page.getByText('2 of 3', { exact: true }).waitFor();
  await page.keyboard.press('K');
  await page.getByRole('heading', { name: 'c.example.com' }).waitFor();
  await page.getByText('1 of 3', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Previous domain' }).count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'a.example.com' }).waitFor();
  await page.getByText('3 of 3', { exact: true }).waitFor();
});

test('⌘K and the search of the list open a domain by its id', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.getByRole('link', { name: /^a\.example\.com/ }).click();
  await page.getByRole('heading', { name: 'a.example.com' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await open('/domains');
  await page.getByRole('searchbox', { name: 'Hostname begins with' }).fill(id);
  await page.getByRole('heading', { name: 'a.example.com' }).waitFor();
  await open('');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.keyboard.press('Meta+k');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'a.example.com' }).waitFor();
});

test('a dialog of the dashboard keeps the focus, closes with Escape, and returns the focus', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/keys');
  await page.getByRole('button', { name: 'New key…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  expect(await page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: 'New key…' }).waitFor();
});

test('with the keyboard alone, a person selects an event', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/events');
  await page.locator('a.row').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Send 1 again…' }).waitFor();
});
