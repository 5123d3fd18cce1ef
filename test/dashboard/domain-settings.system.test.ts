import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser, type SignedInPage } from './dashboard-in-browser.ts';

/** Tests the settings of a domain's page in a real browser. */
let browser: Browser | null;
let dashboard: DashboardInBrowser;
let developer: SignedInPage | undefined;

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser);
  if (browser !== null) developer = await dashboard.signIn('developer');
});

afterAll(async () => {
  await developer?.[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test("if two tabs edit a domain's metadata, the second tab shows what changed and asks", async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, context, open } = developer;
  const id = await dashboard.add('edited.example.com', { metadata: { customer: '1' } });
  const now = async () => (await dashboard.api(`GET /domains/${id}`)).metadata;
  await open(`/domains/${id}`);
  const other = await context.newPage();
  await other.goto(page.url());
  const field = (of: Page) => of.getByLabel('Metadata, a JSON object');
  await expect.poll(() => field(other).inputValue()).toBe('{\n  "customer": "1"\n}');
  await field(page).fill('{ "customer": ');
  await button(page, 'Save').click();
  await page.getByText('This is not JSON.').waitFor();
  await field(page).fill('{ "customer": "2" }');
  await field(other).fill('{ "customer": "3" }');
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  await button(other, 'Save').click();
  await other.getByText('Someone changed this meanwhile').waitFor();
  await other.locator('.verdict code').filter({ hasText: '"customer": "2"' }).waitFor();
  expect(await now()).toEqual({ customer: '2' });
  await button(other, 'Save mine').click();
  await other.getByText('Saved.').waitFor();
  expect(await now()).toEqual({ customer: '3' });
  await field(other).fill('');
  await button(other, 'Save').click();
  await expect.poll(now).toBe(null);
  await other.close();
});

test('a domain can get its own origin, and the form keeps a text that is refused', async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  const id = await dashboard.add('own-origin.example.com');
  await open(`/domains/${id}`);
  const field = page.getByLabel('Origin of this domain alone');
  await field.fill('ftp://nothing');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('ftp://nothing');
  await field.fill('http://127.0.0.1:3000');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  expect((await dashboard.api(`GET /domains/${id}`)).origin).toBe('http://127.0.0.1:3000');
});

test("on a plan without per-domain origins, a domain's page has no origin form", async ({ skip }) => {
  if (developer === undefined) return skip(NO_CHROMIUM);
  const { page, open } = developer;
  const id = await dashboard.add('small-plan.example.com');
  const { account } = dashboard.account;
  await page.route(`**/accounts/${account.id}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), plan: 'growth' } });
  });
  await open(`/domains/${id}`);
  await page.getByText('Your plan does not include an origin for each domain.').waitFor();
  expect(await page.getByLabel('Origin of this domain alone').count()).toBe(0);
  expect(await page.getByLabel('Metadata, a JSON object').count()).toBe(1);
  await page.unroute(`**/accounts/${account.id}`);
});
