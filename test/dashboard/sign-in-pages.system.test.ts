import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignInLink } from '../../shared/operations/members/sign-in.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser } from './dashboard-in-browser.ts';

/** Tests the pages for sign-in, confirmation and sign-out in a real browser. */
const MINUTES_MS = 60_000;

let browser: Browser | null;
let dashboard: DashboardInBrowser;

beforeAll(async () => {
  browser = await launchChromium();
  dashboard = await dashboardInBrowser(browser, { signUp: 'open' });
});

afterAll(async () => {
  await dashboard[Symbol.asyncDispose]();
  await browser?.close();
});

/** Returns the link of the newest mail to an address. */
async function mailedLink(address: string): Promise<string> {
  const mail = (await dashboard.mails()).find(({ to }) => to === address);
  const link = /https?:\/\/\S+#\S+/.exec(mail?.text ?? '')?.[0];
  if (link === undefined) throw new Error(`no link was mailed to ${address}`);
  return link;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a mailed sign-in link opens the page that the visitor wanted, but only after a click', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const { owner, account, appId, url } = dashboard;
  await owner.send(`POST /accounts/${account.account.id}/members`, {
    mail: 'ada@example.com',
    role: 'viewer',
  });
  await using visitor = await dashboard.visit();
  const { page, context } = visitor;
  await page.goto(`${url}/dashboard/${appId}/test/keys?filter=${'x'.repeat(300)}`);
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('a link is on its way').waitFor();
  const link = await mailedLink('ada@example.com');
  const tab = await context.newPage();
  await tab.goto(link);
  await button(tab, 'Sign in').click();
  await tab.getByRole('heading', { name: 'Keys' }).waitFor();
  expect(new URL(tab.url()).pathname).toBe(`/dashboard/${appId}/test/keys`);
  expect(tab.url()).not.toContain('#');

  // The sign-in link has been used once and must not work again.
  await tab.goto(`${url}/dashboard`);
  await tab.goto(link);
  await button(tab, 'Sign in').click();
  await tab.getByText('was used before').waitFor();
});

test('without a mail server, the sign-in page says how the operator prints a link, or that the log contains the link', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using silent = await dashboardInBrowser(browser, {}, { mailer: null });
  await using visitor = await silent.visit();
  await visitor.page.goto(`${silent.url}/dashboard`);
  await visitor.page.getByText('nameplate service sign-in you@example.com').waitFor();
  expect(await visitor.page.getByLabel('Email address').count()).toBe(0);

  await using logging = await dashboardInBrowser(browser, { printsSignInLinks: true }, { mailer: null });
  await using trial = await logging.visit();
  await trial.page.goto(`${logging.url}/dashboard`);
  await trial.page.getByLabel('Email address').fill('setup@example.com');
  await button(trial.page, 'Get a sign-in link').click();
  await trial.page.getByText('the log of the service now has a link').waitFor();
});

test('a person without an account creates an account, and sees its first key once', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using visitor = await dashboard.visit();
  const { page } = visitor;
  await page.goto(`${dashboard.url}/dashboard`);
  await page.getByLabel('Email address').fill('grace@example.com');
  await button(page, 'Email me a sign-in link').click();
  await page.getByText('a link is on its way').waitFor();
  await page.goto(await mailedLink('grace@example.com'));
  await page.reload();
  await button(page, 'Sign in').click();
  await page.getByLabel('Name of your company or product').fill('Globex');
  await button(page, 'Create').click();
  const key = page.getByRole('dialog').locator('code');
  expect(await key.textContent()).toMatch(/^sk_test_/);
  // A page that becomes visible reads the session again, which now contains the new account. The key must stay on the page.
  const read = page.waitForResponse((response) => response.url().endsWith('/dashboard/api/session'));
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await (await read).finished();
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  expect(await key.textContent()).toMatch(/^sk_test_/);
  await button(page, 'I have copied it').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await page.locator('.app-name').textContent()).toBe('Globex');
  await page.goto(`${dashboard.url}/dashboard/${dashboard.appId}/live`);
  await page.getByRole('heading', { name: 'App not found' }).waitFor();
});

test('a member of two accounts opens the other account from the menu of apps', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using member = await dashboard.signIn('viewer');
  const { page } = member;
  await page.goto(`${dashboard.url}/dashboard/new`);
  await page.getByLabel('Name of your company or product').fill('Initech');
  await button(page, 'Create').click();
  await button(page, 'I have copied it').click();
  await page.locator('.app-name', { hasText: 'Initech' }).waitFor();
  await page.locator('.app-menu').click();
  await page.getByRole('dialog', { name: 'Your apps' }).getByRole('link').last().waitFor();
  await page.getByRole('heading', { name: 'Other accounts' }).locator('..').getByRole('link').click();
  await page.waitForURL((url) => url.pathname.startsWith(`/dashboard/${dashboard.appId}/`));
  await page.locator('.app-name').filter({ hasNotText: 'Initech' }).waitFor();
});

test('if the sign-in is too old, a new sign-in in another tab lets the action continue by itself', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, context, open } = developer;
  await open('/webhook');
  await dashboard.advance(11 * MINUTES_MS);
  await button(page, 'Reveal').click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
  await dialog.getByText('developer@example.com').first().waitFor();
  await button(page, 'Email me a sign-in link').click();
  await dialog.getByText('a link is on its way').waitFor();
  const tab = await context.newPage();
  await tab.goto(await mailedLink('developer@example.com'));
  await button(tab, 'Sign in').click();
  await tab.getByRole('heading', { name: 'Webhook', level: 1 }).waitFor();
  await page.getByText(/^whsec_[A-Za-z0-9+/=_-]{10,}/).waitFor();
  expect(await dialog.count()).toBe(0);
});

test('cancelling the request for a new sign-in keeps the secret hidden, and the page says why', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using developer = await dashboard.signIn('developer');
  const { page, open } = developer;
  await open('/webhook');
  await dashboard.advance(11 * MINUTES_MS);
  await button(page, 'Reveal').click();
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.notice.bad').filter({ hasText: 'last ten minutes' }).waitFor();
  await button(page, 'Reveal').waitFor();
});

test('after a sign-out or a revoked session, the dashboard shows the sign-in page', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using first = await dashboard.signIn('developer');
  await using second = await dashboard.visit();
  await second.page.goto(await createSignInLink(dashboard.context, 'test', 'developer@example.com'));
  await button(second.page, 'Sign in').click();
  await second.page.getByRole('heading', { name: 'Home' }).waitFor();
  await second.open('/sessions');
  // The newest session is the current one. The person can end the other sessions.
  await second.page.getByText('this browser').waitFor();
  const others = second.page.getByRole('button', { name: /^Sign out Chrome/ });
  for (let left = await others.count(); left > 0; left--) {
    await others.first().click();
    await expect.poll(() => others.count()).toBe(left - 1);
  }
  await first.page.getByRole('link', { name: 'Keys' }).click();
  await first.page.getByLabel('Email address').waitFor();
  await button(second.page, 'Sign out').click();
  await second.page.getByLabel('Email address').waitFor();
});
