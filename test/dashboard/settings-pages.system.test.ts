import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../shared/client/webhooks.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser } from './dashboard-in-browser.ts';

/** Tests the webhook, keys, app, members and audit pages in a real browser. */
const HOSTILE = '<img src=x onerror="document.title=1">';

let browser: Browser | null;
let dashboard: DashboardInBrowser;

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser);
});

afterAll(async () => {
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test("a test event shows the receiver's response immediately, and its signature verifies with the revealed secret", async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, open } = developer;
  await open('/webhook');
  dashboard.answer(418, HOSTILE);
  await button(page, 'Send test event').click();
  await page.getByText('418', { exact: true }).waitFor();
  await page.locator('pre').filter({ hasText: HOSTILE }).waitFor();
  await button(page, 'Reveal').click();
  const secret = await factOf(page, 'Secret');
  const signature = await factOf(page, 'Signature');
  const body = dashboard.received().at(-1) ?? '';
  expect(JSON.parse(body)).toMatchObject({ test: true, type: 'domain.active' });
  expect(await verifyWebhook({ secret, body, signature, now: signedAt(signature) })).toMatchObject({
    type: 'domain.active',
  });
  await button(page, 'Hide').click();
  expect(await page.getByText(secret).count()).toBe(0);
});

test('rotating the signing secret shows the new secret, and the previous secret with the time when it ends', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, open } = developer;
  await open('/webhook');
  await button(page, 'Reveal').click();
  const before = await factOf(page, 'Secret');
  await button(page, 'Rotate…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  await expect.poll(() => factOf(page, 'Previous')).toBe(before);
  expect(await factOf(page, 'Secret')).not.toBe(before);
  expect(await page.locator('.facts div', { hasText: 'Overlap ends' }).textContent()).toContain('in 23 h');
});

test('a new API key is shown once, and stops working when it is revoked', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, open } = developer;
  await open('/keys');
  await button(page, 'New key…').click();
  await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
  await page.getByRole('combobox', { name: 'Mode' }).selectOption('live');
  await button(page, 'Create').click();
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  expect(key).toMatch(/^sk_live_/);
  expect(await call(key)).toBe(200);
  await button(page, 'I have copied it').click();
  await page.reload();
  await page.getByRole('rowheader', { name: HOSTILE }).waitFor();
  expect(await page.content()).not.toContain(key);
  await page
    .getByRole('row')
    .filter({ hasText: HOSTILE })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect.poll(() => page.getByRole('rowheader', { name: HOSTILE }).count()).toBe(0);
  await dashboard.advance(5_000);
  expect(await call(key)).toBe(401);
});

test('if two tabs edit one setting, the second tab shows what changed, and lets the person choose', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, context, open } = developer;
  await open('/app');
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('From the first tab');
  await other.getByRole('textbox', { name: 'Name', exact: true }).fill('From the second tab');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  await button(other, 'Save').click();
  await other.getByText('Someone changed this meanwhile').waitFor();
  await other.locator('.verdict code').filter({ hasText: 'From the first tab' }).waitFor();
  expect(await other.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(
    'From the second tab',
  );
  expect((await dashboard.api('GET /apps/current')).name).toBe('From the first tab');
  await button(other, 'Save mine').click();
  await other.getByText('Saved.').waitFor();
  expect((await dashboard.api('GET /apps/current')).name).toBe('From the second tab');

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A third text');
  await button(page, 'Save').click();
  await button(page, 'Keep theirs').click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
    .toBe('From the second tab');
});

test("the page of the app shows the results of the origin's probes", async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, open } = developer;
  const { webhook_url } = await dashboard.api('GET /apps/current');
  // The receiver of webhooks also responds to the probes.
  dashboard.answer(200);
  await dashboard.api('PATCH /apps/current', { origin_url: new URL(webhook_url).origin }, 'live');
  dashboard.answer(502);
  await dashboard.advance(15 * 60_000);
  dashboard.answer(200);
  await open('/app');
  await page.getByText('1 of the last 2 probes failed.').waitFor();
  await page.getByText('2 probes', { exact: true }).click();
  const rows = page.locator('.probes tbody tr');
  expect(await rows.count()).toBe(2);
  await rows.nth(0).getByText('origin_http_error').waitFor();
  await rows.nth(0).getByText('502').waitFor();
  await rows.nth(1).getByText('reachable').waitFor();
});

test('an invalid setting gets its error next to the field, and the page keeps the typed text', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, open } = developer;
  await open('/app');
  const field = page.getByRole('textbox', { name: 'Address', exact: true });
  await field.fill('ftp://nothing');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('ftp://nothing');
});

test('a viewer sees every page of the dashboard, but no button that changes something', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const id = await dashboard.add('viewed.acme.com');
  await dashboard.advance(60_000);
  const event = (await dashboard.api('GET /events')).data[0].id;
  await using viewer = await dashboard.signIn('viewer');
  const { page, open } = viewer;
  const views = [
    '',
    '/domains',
    `/domains/${id}`,
    '/events',
    `/events/${event}`,
    '/webhook',
    '/keys',
    '/app',
  ];
  for (const view of [...views, '/plan', '/members', '/audit']) {
    await open(view);
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    const names = await page.locator('main button').allTextContents();
    const allowed =
      /^(?:Hide the setup|Copy|Copy the link|Diagnose|Diagnose again|Checking…|Leave…|24 hours|30 days|)$/;
    expect(
      names.filter((name) => !allowed.test(name.trim())),
      view,
    ).toEqual([]);
    expect(await page.locator('main input:not([type="search"], .metadata-filter)').count(), view).toBe(0);
  }
});

test('an owner invites a member, changes a role, removes the member, and saves the audit log as CSV', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using owner = await dashboard.signIn('owner');
  const { page, open } = owner;
  await open('/members');
  await button(page, 'Invite…').click();
  await page.getByLabel('Email address').fill('new@example.com');
  await page.getByRole('radio', { name: /^viewer/ }).check();
  await button(page, 'Send invitation').click();
  const row = page.getByRole('row').filter({ hasText: 'new@example.com' });
  await row.getByText('invited').waitFor();
  await row.getByLabel('Role of new@example.com').selectOption('developer');
  await page.getByText('new@example.com is developer now.').waitFor();
  await row.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => row.count()).toBe(0);

  await open('/audit');
  await page.getByText('member.remove').first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
});

/** Returns the value beside a label on the page. */
async function factOf(page: Page, name: string): Promise<string> {
  const fact = page.locator('.facts > div').filter({ has: page.getByText(name, { exact: true }) });
  return (await fact.locator('code').textContent()) ?? '';
}

async function call(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${dashboard.url}/v1/apps/current`, { headers })).status;
}

function signedAt(signature: string): Date {
  return new Date(Number(/t=(\d+)/.exec(signature)?.[1]) * 1000);
}
