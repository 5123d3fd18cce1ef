import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import {
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripe,
} from '../billing/stripe/stripe-server.ts';
import { type DashboardUnderTest, dashboardUnderTest } from './dashboard-under-test.ts';

let stripe: StripeServer;
let dashboard: DashboardUnderTest;

beforeAll(async () => {
  let now = () => 0;
  stripe = await startStripe({ now: () => now() });
  const settings = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, apiUrl: stripe.url };
  dashboard = await dashboardUnderTest(
    {},
    {
      billing({ clock }) {
        now = () => clock.now();
        return createStripeBilling(settings);
      },
    },
  );
});

afterAll(async () => {
  await dashboard[Symbol.asyncDispose]();
  await stripe[Symbol.asyncDispose]();
});

const reads = () => stripe.requests.filter(({ name }) => name === 'GET /v1/subscriptions').length;

test('an owner can refresh the billing state from the provider five times a minute; other members cannot', async () => {
  const owner = await dashboard.signedIn('owner');
  const path = `/accounts/${dashboard.account.account.id}/billing`;
  expect((await owner.send(`POST ${path}/card`, {})).status).toBe(200);
  const before = reads();
  for (const role of ['viewer', 'developer'] as const) {
    const { status, body } = await (await dashboard.signedIn(role)).send(`POST ${path}/sync`, {});
    expect([status, body.error?.code]).toEqual([403, 'role_required']);
  }
  expect(reads()).toBe(before);
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++) statuses.push((await owner.send(`POST ${path}/sync`, {})).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(reads()).toBe(before + 5);
  const refused = await owner.send(`POST ${path}/sync`, {});
  expect([refused.body.error.code, refused.headers.get('retry-after')]).toEqual(['rate_limited', '60']);
  await dashboard.composition.time.advance({ by_ms: 60_000 });
  expect((await owner.send(`POST ${path}/sync`, {})).status).toBe(200);
});
