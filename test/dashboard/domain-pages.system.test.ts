import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DomainId } from '../../shared/core/ids.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { addTraffic } from './add-traffic.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/** This text changes the title of a page that renders it without escaping. */
const HOSTILE = '<img src=x onerror="document.title=1">';
const MANY = 230;

let browser: Browser | null;
let dashboard: DashboardInBrowser;
let developer: SignedInPage | undefined;

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser);
  await dashboard.add('first.example.com', { metadata: { customer: '=HYPERLINK("http://evil")' } });
  for (let count = 0; count < MANY; count++) await dashboard.add(`d${count}.example.com`);
  await dashboard.add('caa-forbids.acme.com', { metadata: { customer: HOSTILE } });
  dashboard.answer(500, HOSTILE);
  await dashboard.advance(60_000);
  if (browser !== null) developer = await dashboard.signIn('developer');
});

afterAll(async () => {
  await developer?.[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a long list of domains has few rows in the document, and loads more on scrolling', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page
    .locator('.count')
    .filter({ hasText: String(MANY + 2) })
    .waitFor();
  expect(
    await page
      .getByRole('listitem')
      .filter({ has: page.locator('a.row') })
      .count(),
  ).toBeLessThan(80);
  await page.locator('a.row').first().focus();
  // Each press of End goes to the last loaded row, which makes the list load more rows.
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return page.locator('a.row:focus').textContent();
    })
    .toContain('first.example.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'first.example.com' }).waitFor();
});

test('the first page begins with the failing domains and webhooks, each with its cause and its fix', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('');
  await page.getByRole('heading', { name: /^Needs attention: 1 domain with a failed certificate/ }).waitFor();
  const alert = page.locator('.alerts li', { hasText: 'caa-forbids.acme.com' });
  await alert.getByText('CAA forbids our certificate').waitFor();
  await alert.getByText('caa_forbids').waitFor();
  expect(await alert.locator('.fix').textContent()).toMatch(/^Add CAA @ → 0 issue /);
  await page.getByRole('link', { name: /^1 ?Certificate failed/ }).click();
  await expect.poll(() => page.locator('a.row').count()).toBe(1);
});

test('the list of domains filters by prefix, status and metadata, even after a reload', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.getByLabel('Hostname begins with').fill('d22');
  await expect.poll(() => page.locator('a.row').count()).toBe(11);
  await page.getByLabel('Hostname begins with').fill('');
  await page.getByRole('link', { name: /^Certificate failed/ }).click();
  await expect.poll(() => page.locator('a.row').count()).toBe(1);
  await page.getByRole('link', { name: /^All/ }).click();
  await button(page, 'Filter by metadata').click();
  await page.getByLabel('Metadata, such as').fill(`customer=${HOSTILE}`);
  await expect.poll(() => page.locator('a.row').count()).toBe(1);
  await page.reload();
  await page.locator('a.row', { hasText: 'caa-forbids.acme.com' }).waitFor();
  await page.getByText(`customer=${HOSTILE}`).waitFor();
  expect(await page.title()).not.toBe('1');
});

test('the filtered list of domains can be exported as CSV without formulas', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as CSV').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(MANY + 3);
  expect(lines[0]).toContain('id,hostname,status');
  expect(lines.some((line) => /(?:^|,)[=+@-]/.test(line))).toBe(false);
});

test('the dashboard asks for the hostname before it deletes a domain', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  const id = await dashboard.add('gone.example.com');
  await open(`/domains/${id}`);
  await button(page, 'Delete…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type gone.example.com').fill('other.example.com');
  await dialog.getByRole('button', { name: 'Delete test domain', exact: true }).click();
  await dialog.getByText('This is not gone.example.com.').waitFor();
  await dialog.getByLabel('Type gone.example.com').fill('gone.example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Deleted gone.example.com.').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/domains$/);
  await expect.poll(() => page.locator('a.row', { hasText: 'gone.example.com' }).count()).toBe(0);
});

test("a domain's traffic is a chart with an accessible name, and a table", async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  const id = await dashboard.add('busy.example.com');
  await open(`/domains/${id}`);
  await page.getByText('No requests in the last 24 hours.').waitFor();
  await addTraffic(dashboard.context, id as DomainId);
  const { totals, buckets } = await dashboard.api(`GET /domains/${id}/traffic`);
  expect(totals.requests).toBeGreaterThan(1000);
  await page.reload();
  const all = totals.requests.toLocaleString('en');
  await page.getByRole('img', { name: `Requests by hour: ${all} in all` }).waitFor();
  await page.getByText('Each hour').click();
  const rows = page.getByRole('region', { name: 'Traffic as a table' }).locator('tbody tr');
  const newestFirst = buckets.map(({ requests }: { requests: number }) => String(requests)).reverse();
  expect(await rows.locator('td:nth-child(2)').allTextContents()).toEqual(newestFirst);
  await button(page, '30 days').click();
  await page.getByRole('img', { name: `Requests by day: ${all} in all` }).waitFor();
  await open('');
  await page.getByRole('link', { name: `busy.example.com ${all} requests` }).click();
  await page.getByRole('heading', { name: 'busy.example.com' }).waitFor();
});

test("a failing domain's page shows the cause and its fix first, then its records and its history", async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains?status=cert_failed');
  await page.locator('a.row').first().click();
  const cause = page.getByRole('region', { name: 'Cause' });
  await cause.getByRole('heading', { name: 'CAA records forbid the certificate' }).waitFor();
  await cause.getByRole('link', { name: 'caa_forbids' }).waitFor();
  await cause.locator('.new', { hasText: '0 issue' }).waitFor();
  await page.locator('.col > :first-child', { hasText: 'CAA records forbid' }).waitFor();
  await page.locator('.preview .wait', { hasText: 'security certificate' }).waitFor();
  await page
    .locator('.history li')
    .first()
    .filter({ hasText: 'Certificate failed domain.cert_failed' })
    .waitFor();
  await page.getByText('CNAME', { exact: true }).waitFor();
});

test('a reload within 15 seconds shows the same diagnosis, and when to check again', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await dashboard.advance(15_000);
  await open('/domains?status=cert_failed');
  await page.locator('a.row').first().click();
  await page.getByText('Something has to change').waitFor();
  await page.reload();
  await page.getByText(/^This domain was checked a moment ago\. You can check again in \d+ s\.$/).waitFor();
  await page.getByText('Something has to change').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/Retry-After|number of seconds/);
});

test('the cause shows the change that fixes the domain: the old value, and the new value to copy', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  const change = {
    action: 'replace',
    type: 'CNAME',
    zone: 'acme.com',
    name: 'jobs',
    value: 'new.example',
    ttl: 300,
  };
  // The API runs only one diagnosis of a domain in 15 seconds.
  await dashboard.advance(15_000);
  await page.route('**/diagnosis', async (route) => {
    const response = await route.fetch();
    const diagnosis = await response.json();
    diagnosis.findings[0].changes = [{ ...change, of: { type: 'A', value: '192.0.2.7' } }];
    await route.fulfill({ response, json: diagnosis });
  });
  await open('/domains?status=cert_failed');
  await page.locator('a.row').first().click();
  const cause = page.locator('.cause', { hasText: 'caa_forbids' });
  await cause.locator('.old', { hasText: 'ReplaceA 192.0.2.7' }).waitFor();
  await cause.locator('.new', { hasText: 'withnew.example' }).waitFor();
  await cause.getByRole('button', { name: 'Copy the new value of the record' }).waitFor();
  await page.unroute('**/diagnosis');
});

test("an event's page shows the receiver's response and headers as text, and can send the event again", async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  dashboard.answer(503, HOSTILE);
  await open('/events');
  await page.locator('a.row').last().click();
  await button(page, 'Send again now').click();
  await page.getByText('The receiver responded with 503').waitFor();
  const attempt = page.locator('.attempts > li', { hasText: '503' }).first();
  await attempt.locator('pre').filter({ hasText: HOSTILE }).waitFor();
  await attempt.getByText('1 header').click();
  await attempt.getByRole('rowheader', { name: 'content-type' }).waitFor();
  dashboard.answer(200);
});

test('the list of events sends the selected events again, the oldest first', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await dashboard.advance(60_000);
  dashboard.answer(200);
  await open('/events');
  const before = dashboard.received().length;
  const rows = page.getByRole('checkbox');
  await rows.nth(0).check();
  await rows.nth(1).check();
  await button(page, 'Send 2 again…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again', exact: true }).click();
  await page.getByText('Sent 2 of 2. The receiver accepted 2.').waitFor();
  const created = dashboard
    .received()
    .slice(before)
    .map((body) => JSON.parse(body).created_at);
  expect(created).toHaveLength(2);
  expect(created).toEqual(created.toSorted());
  await button(page, 'Close').last().click();
  await button(page, 'Send failed again…').waitFor();
});

test('the dashboard marks live mode by the colour of the wall, the icon of the tab, and the title', async ({
  skip,
}) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  await open('/domains');
  await page.getByRole('heading', { name: 'Domains' }).waitFor();
  expect(await page.title()).toMatch(/^Test · Domains/);
  const colourOf = () =>
    page.evaluate<string>("getComputedStyle(document.querySelector('.side')).backgroundColor");
  const icon = () => page.locator('link[rel="icon"]').getAttribute('href');
  const [testColour, testIcon] = [await colourOf(), await icon()];
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await expect.poll(() => page.title()).toMatch(/^LIVE · Domains/);
  expect(await colourOf()).not.toBe(testColour);
  expect(await icon()).not.toBe(testIcon);
  await page.getByText('No live domains yet').waitFor();
});
