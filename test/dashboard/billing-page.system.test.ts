import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import {
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripe,
} from '../billing/stripe/stripe-server.ts';
import { faults } from '../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser } from './dashboard-in-browser.ts';

let browser: Browser | null;
let stripe: StripeServer;
let dashboard: DashboardInBrowser;

const plans = {
  ...PLANS,
  growth: { ...PLANS.growth, prices: ['price_growth'] },
  scale: { ...PLANS.scale, prices: ['price_scale'] },
};

beforeAll(async () => {
  browser = await launchChromium();
  if (browser === null) return;
  let now = () => 0;
  stripe = await startStripe({ now: () => now() });
  dashboard = await dashboardInBrowser(
    browser,
    { plans },
    {
      billing({ clock }) {
        now = () => clock.now();
        return createStripeBilling({
          secretKey: STRIPE_KEY,
          webhookSecret: STRIPE_WEBHOOK_SECRET,
          apiUrl: stripe.url,
        });
      },
    },
  );
});

afterAll(async () => {
  await dashboard?.[Symbol.asyncDispose]();
  await stripe?.[Symbol.asyncDispose]();
  await browser?.close();
});

test("an owner saves a card on the provider's page, chooses a plan, and sees what a smaller plan would change", async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using owner = await dashboard.signIn('owner');
  const { page } = owner;
  await page.goto(`${dashboard.url}/dashboard/billing`);
  await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
  expect(page.url()).toMatch(/\/live\/plan$/);
  expect(await faults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Choose growth' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Choose growth' }).click();
  await page.getByText('A paid plan needs a card on file.').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add a card' }).click();
  await page.getByRole('button', { name: 'Card that pays' }).click();
  await page.getByText('The card is saved.').waitFor();
  await page.getByText('ending in 4242').waitFor();
  expect(page.url()).toMatch(/\/live\/plan$/);

  await page.getByRole('button', { name: 'Choose scale' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Choose scale' }).click();
  await page.getByText('You chose the plan scale.').waitFor();
  await page.getByText('Renews').waitFor();

  await page.getByRole('button', { name: 'Choose free' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The limit of live domains changes from 1,000 to 3.').waitFor();
  await dialog.getByText('It takes effect when the paid period ends').waitFor();
  expect(await faults(page)).toEqual([]);
  const { body } = await dashboard.owner.send(`GET /accounts/${dashboard.account.account.id}`);
  expect(body).toMatchObject({ plan: 'scale', card_on_file: true, billing: { provider: 'stripe' } });
  const actions = (await dashboard.audit()).map(({ actor, action }) => `${actor} ${action}`);
  expect(actions).toEqual(
    expect.arrayContaining(['owner@example.com billing.card', 'owner@example.com billing.choose_plan']),
  );
  // Ignores `/favicon.ico`, which the browser requests from every host.
  expect(stripe.violations.filter((each) => !each.startsWith('GET /favicon.ico'))).toEqual([]);
});

test('a viewer sees the plan of the account but cannot change it', async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using viewer = await dashboard.signIn('viewer');
  await viewer.open('/plan', 'live');
  await viewer.page.getByRole('heading', { name: 'Billing' }).waitFor();
  await viewer.page.getByText('Subscription').waitFor();
  expect(await viewer.page.getByRole('button', { name: /Choose|card/ }).count()).toBe(0);
});

test('the billing page shows a failed payment with the day from which changes are refused', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using owner = await dashboard.signIn('owner');
  const { id } = dashboard.account.account;
  const [customer = ''] = stripe.account.customers.keys();
  for (const { id: card } of stripe.account.cardsOf(customer)) stripe.account.removeCard(card);
  stripe.account.addCard(customer, 'declines');
  stripe.account.endPeriod(customer);
  expect((await dashboard.owner.send(`POST /accounts/${id}/billing/sync`, {})).status).toBe(200);
  await owner.open('/plan', 'live');
  await owner.page.getByText('payment failed').waitFor();
  await owner.page.getByText('Otherwise changes are paused').waitFor();
  expect(await faults(owner.page)).toEqual([]);
});

test('if the billing provider does not work, the billing page says so, and nothing changes', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  await using owner = await dashboard.signIn('owner');
  stripe.mood = 'failing';
  const { id } = dashboard.account.account;
  const { status, body } = await dashboard.owner.send(`POST /accounts/${id}/billing/portal`, {});
  expect([status, body.error.code]).toEqual([503, 'billing_unavailable']);
  await owner.open('/plan', 'live');
  await owner.page.getByRole('button', { name: 'Invoices and cards' }).click();
  await owner.page.getByText(body.error.message).waitFor();
  expect(owner.page.url()).toMatch(/\/live\/plan$/);
  stripe.mood = 'well';
});
