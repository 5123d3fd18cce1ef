import { expect, test } from 'vitest';
import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/instant.ts';
import { choosePlan } from '../../shared/operations/billing/choose-plan.ts';
import { getBilling, openPortal, startCardCheckout } from '../../shared/operations/billing/get-billing.ts';
import { changeAccount } from '../../shared/operations/operator/accounts.ts';
import { type BillingWorld, billingWorld } from './billing-world.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from './stripe/stripe-server.ts';

const ADA = 'ada@example.com';

test("a customer saves a card on Stripe's page, and the account then has a card on file", async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  const { url } = await startCardCheckout(world.context, id);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/c\/pay\/cs_test_/);
  const form = new URLSearchParams({ number: '4242424242424242' });
  const sent = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  expect(sent.headers.get('location')).toBe('http://127.0.0.1:1/dashboard/billing?card=saved');
  await world.deliverNew();
  expect(await world.account(id)).toMatchObject({ card_on_file: true, plan: 'free' });
  expect(await getBilling(world.context, id)).toMatchObject({
    has_provider: true,
    on_trial: true,
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
    choices: ['free', 'growth', 'scale'],
  });
  expect((await openPortal(world.context, id)).url).toMatch(/\/p\/session\/bps_/);
  expect(world.stripe.account.customers.size).toBe(1);
  expect(world.stripe.account.customer(await world.customerId(id))).toMatchObject({
    name: 'Ada',
    email: ADA,
    metadata: { account_id: id },
  });
  expect(world.stripe.violations).toEqual([]);
});

test('an account without a card cannot choose a plan; with a card, the choice charges the card and ends the trial', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await expect(choosePlan(world.context, ADA, id, 'growth')).rejects.toMatchObject({ code: 'card_required' });
  await world.saveCard(id);
  const chosen = await choosePlan(world.context, ADA, id, 'growth');
  expect(chosen).toMatchObject({
    paid_plan: 'growth',
    plan_asked: null,
    on_trial: false,
    ends_with_period: false,
  });
  expect(chosen.account).toMatchObject({ plan: 'growth', card_on_file: true });
  expect(chosen.period_ends_at).toBe(world.clock.now() + 30 * DAY_MS);
  // The service applied the new state when the plan was chosen, so Stripe's events change nothing more.
  await world.deliverNew((events) => events.reverse());
  expect(await world.account(id)).toMatchObject({ plan: 'growth', card_on_file: true, suspended: false });
  const audit = (await world.audit()).filter(({ subject }) => subject === id);
  // The clock stands still, so all entries have the same time and no defined order.
  expect(
    audit.map(({ actor, action, detail }) => `${actor} ${action} ${JSON.stringify(detail)}`).sort(),
  ).toEqual([
    `${ADA} billing.choose_plan {"plan":"growth"}`,
    `${ADA} billing.choose_plan {"plan":"growth"}`,
    `${ADA} billing.plan_refused {"plan":"growth","code":"card_required"}`,
    'billing account.update {"card_on_file":true}',
    'billing account.update {"plan":"growth"}',
  ]);
  expect(world.stripe.violations).toEqual([]);
});

test('a change between paid plans applies immediately, and a change to Free when the period ends', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  expect((await choosePlan(world.context, ADA, id, 'scale')).account.plan).toBe('scale');
  expect(lastChange(world)).toMatchObject({ proration_behavior: 'always_invoice' });
  expect((await choosePlan(world.context, ADA, id, 'growth')).account.plan).toBe('growth');
  expect(lastChange(world)).toMatchObject({ proration_behavior: 'create_prorations' });
  const leaving = await choosePlan(world.context, ADA, id, 'free');
  expect(leaving).toMatchObject({ paid_plan: 'growth', plan_asked: 'free', ends_with_period: true });
  expect(leaving.account.plan).toBe('growth');
  expect(await choosePlan(world.context, ADA, id, 'growth')).toMatchObject({
    ends_with_period: false,
    plan_asked: null,
  });
  await choosePlan(world.context, ADA, id, 'free');
  world.stripe.account.endPeriod(await world.customerId(id));
  await world.deliverNew();
  expect(await getBilling(world.context, id)).toMatchObject({
    paid_plan: null,
    plan_asked: null,
    period_ends_at: null,
  });
  expect(await world.account(id)).toMatchObject({ plan: 'free', card_on_file: true });
  expect(world.stripe.account.subscriptions.size).toBe(1);
});

test.each(['declines', 'wants_confirmation'] as const)(
  'the plan stays as it is if the bank of the card %s',
  async (bank) => {
    await using world = await billingWorld();
    const { id } = await world.openAccount('Ada');
    const card = await world.saveCard(id, bank);
    await expect(choosePlan(world.context, ADA, id, 'growth')).rejects.toMatchObject({
      code: 'card_declined',
    });
    expect(await getBilling(world.context, id)).toMatchObject({ paid_plan: null, plan_asked: null });
    // The bank now accepts charges, and the failed choice of a plan does not block the next choice.
    Object.assign(world.stripe.account.cards.get(card) ?? {}, { bank: 'pays' });
    expect((await choosePlan(world.context, ADA, id, 'growth')).account.plan).toBe('growth');
    Object.assign(world.stripe.account.cards.get(card) ?? {}, { bank });
    await expect(choosePlan(world.context, ADA, id, 'scale')).rejects.toMatchObject({
      code: 'card_declined',
    });
    expect(await getBilling(world.context, id)).toMatchObject({ paid_plan: 'growth', plan_asked: null });
    expect(world.stripe.account.subscriptions.size).toBe(1);
  },
);

test('two tabs that choose a plan at the same time start only one subscription', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  const both = await Promise.allSettled([
    choosePlan(world.context, ADA, id, 'growth'),
    choosePlan(world.context, ADA, id, 'scale'),
  ]);
  const refused = both.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
  expect(refused).toMatchObject([{ code: 'rate_limited', retry_after_s: expect.any(Number) }]);
  expect(world.stripe.account.subscriptions.size).toBe(1);
});

test('a plan that is not sold is refused before Stripe gets a request', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  const asked = world.stripe.requests.length;
  await expect(choosePlan(world.context, ADA, id, 'enterprise')).rejects.toMatchObject({
    code: 'validation_failed',
    message: 'plan: must be one of free, growth, scale',
  });
  expect(world.stripe.requests).toHaveLength(asked);
});

test('the choice of a plan whose response was lost takes effect once Stripe responds again', async () => {
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
  const choice = choosePlan(world.context, ADA, id, 'growth');
  await expect(choice).rejects.toMatchObject({ code: 'billing_unavailable' });
  world.stripe.meanwhile = null;
  heard.resolve();
  world.context.billing = createStripeBilling(settings);
  await expect.poll(() => world.stripe.account.subscriptions.size).toBe(1);
  await world.settle();
  expect(await world.account(id)).toMatchObject({ plan: 'growth' });
  // A second choice is refused for a minute. A later choice changes the existing subscription and does not create another.
  await expect(choosePlan(world.context, ADA, id, 'scale')).rejects.toMatchObject({ code: 'rate_limited' });
  world.clock.move(MINUTE_MS);
  await choosePlan(world.context, ADA, id, 'scale');
  expect(world.stripe.account.subscriptions.size).toBe(1);
});

test('a plan and a card set by an operator stay until Stripe reports a change', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada', {
    plan: 'enterprise',
    card_on_file: true,
    trial_ends_at: null,
  });
  await startCardCheckout(world.context, id);
  await world.settle();
  expect(await world.account(id)).toMatchObject({ plan: 'enterprise', card_on_file: true });
  const card = await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  expect(await world.account(id)).toMatchObject({ plan: 'growth' });
  await changeAccount(world.context, 'operator', id, { plan: 'scale' });
  world.stripe.account.endPeriod(await world.customerId(id));
  await world.deliverNew();
  expect(await world.account(id)).toMatchObject({ plan: 'scale' });
  world.stripe.account.cancel(world.stripe.account.subscriptionOf(await world.customerId(id)));
  world.stripe.account.removeCard(card);
  await world.deliverNew();
  expect(await world.account(id)).toMatchObject({ plan: 'scale', card_on_file: false });
});

test('an account with a price that is no longer sold still has its plan, and an unknown price grants no plan', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  const customer = await world.customerId(id);
  world.stripe.account.subscribe(customer, 'price_of_something_else');
  await world.deliverNew();
  expect(await world.account(id)).toMatchObject({ plan: 'free' });
  world.stripe.account.subscribe(customer, 'price_growth_2025');
  await world.deliverNew();
  expect(await world.account(id)).toMatchObject({ plan: 'growth' });
});

test('without a billing provider, the operator changes plans', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  world.context.billing = null;
  for (const call of [
    () => startCardCheckout(world.context, id),
    () => openPortal(world.context, id),
    () => choosePlan(world.context, ADA, id, 'growth'),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' });
  expect(await getBilling(world.context, id)).toMatchObject({ has_provider: false, choices: [] });
  await world.pass(2 * HOUR_MS);
});

test('a suspended account may change to Free, but to no other plan', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  await changeAccount(world.context, 'operator', id, { suspended: true });
  await expect(choosePlan(world.context, ADA, id, 'scale')).rejects.toMatchObject({
    code: 'account_suspended',
  });
  expect(await choosePlan(world.context, ADA, id, 'free')).toMatchObject({ ends_with_period: true });
});

function lastChange({ stripe }: BillingWorld): object | undefined {
  return stripe.requests.findLast(({ name }) => name === 'POST /v1/subscriptions/*')?.parameters;
}
