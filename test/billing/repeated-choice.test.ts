import { expect, test } from 'vitest';
import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import { MINUTE_MS } from '../../shared/core/instant.ts';
import { choosePlan } from '../../shared/operations/billing/choose-plan.ts';
import { syncCustomer } from '../../shared/operations/billing/sync-customer.ts';
import { billingWorld } from './billing-world.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from './stripe/stripe-server.ts';

const ADA = 'ada@example.com';

test('a repeated choice of a plan, sent while Stripe is still processing the first, starts only one subscription', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  await world.settle();
  const settings = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, apiUrl: world.stripe.url };
  world.context.billing = createStripeBilling(settings, { deadlineMs: 200 });
  const heard = Promise.withResolvers<void>();
  world.stripe.meanwhile = async ({ name }) => {
    if (name === 'POST /v1/subscriptions') await heard.promise;
  };
  const choose = () => choosePlan(world.context, ADA, id, 'growth');
  await expect(choose()).rejects.toMatchObject({ code: 'billing_unavailable' });
  await expect(choose()).rejects.toMatchObject({ code: 'rate_limited', retry_after_s: 60 });
  world.clock.move(MINUTE_MS);
  // Stripe responds to this second request with 409.
  world.context.billing = createStripeBilling(settings);
  await expect(choose()).rejects.toMatchObject({ code: 'billing_unavailable' });
  heard.resolve();
  await expect.poll(() => world.stripe.account.subscriptions.size).toBe(1);
  world.clock.move(MINUTE_MS);
  expect((await choose()).paid_plan).toBe('growth');
  const keys = world.stripe.requests
    .filter(({ name }) => name === 'POST /v1/subscriptions')
    .map(({ idempotencyKey }) => idempotencyKey);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
  expect(world.stripe.account.subscriptions.size).toBe(1);
});

test('a choice that is repeated ten minutes later has a new id, so that Stripe does not repeat an old error for a day', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  const asked: string[] = [];
  const { billing } = world.context;
  if (billing === null) throw new Error('there is no billing provider');
  world.context.billing = {
    ...billing,
    subscribe: async (_customer, _price, choiceId) => {
      asked.push(choiceId);
      throw new ServiceError('billing_unavailable', { retry_after_s: 60 });
    },
  };
  for (const waitMs of [0, MINUTE_MS, 9 * MINUTE_MS]) {
    world.clock.move(waitMs);
    await expect(choosePlan(world.context, ADA, id, 'growth')).rejects.toMatchObject({
      code: 'billing_unavailable',
    });
  }
  expect(asked[1]).toBe(asked[0]);
  expect(asked[2]).not.toBe(asked[0]);
});

test('several subscriptions of one account are logged with their ids', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  const errors: unknown[] = [];
  world.context.log = { ...world.context.log, error: (fields) => errors.push(fields) };
  await syncCustomer(world.context, id);
  expect(errors).toEqual([]);
  const second = world.stripe.account.subscribe(await world.customerId(id), 'price_scale');
  const [first] = world.stripe.account.subscriptions.keys();
  await syncCustomer(world.context, id);
  expect(errors).toEqual([{ account_id: id, subscriptions: [second.id, first] }]);
});
