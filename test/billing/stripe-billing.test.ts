import { expect, test } from 'vitest';
import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import type { ServiceError } from '../../shared/core/errors.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import type { Billing } from '../../shared/ports/accounts.ts';
import { START } from '../jobs/job-world.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, type StripeMood, startStripe } from './stripe/stripe-server.ts';

const ACCOUNT = 'acc_0' as AccountId;
const SETTINGS = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET };
const URLS = { done: 'https://a.example/done', canceled: 'https://a.example/back' };

async function stripeWorld(deadlineMs = 5_000) {
  const stripe = await startStripe({ now: () => START });
  const billing = createStripeBilling({ ...SETTINGS, apiUrl: stripe.url }, { deadlineMs });
  return { stripe, billing, [Symbol.asyncDispose]: () => stripe[Symbol.asyncDispose]() };
}

const ada = { account_id: ACCOUNT, name: 'Acme', mail: 'ada@example.com' };

test('the Stripe client sends only documented parameters, with a key, a version and an idempotency key', async () => {
  await using world = await stripeWorld();
  const { stripe, billing } = world;
  const id = await billing.createCustomer(ada);
  stripe.account.addCard(id, 'pays');
  await billing.readCustomer(id, null);
  await billing.openCardPage(id, URLS);
  await billing.openPortal(id, URLS.done);
  await billing.checkCard(id);
  await billing.subscribe(id, 'price_growth', 'choice');
  const read = async () => (await billing.readCustomer(id, START))?.subscriptions[0];
  const subscription = await read();
  if (subscription === undefined) throw new Error('there is no subscription');
  await billing.changePrice(subscription, 'price_scale', { chargeNow: true });
  await billing.endSubscription(subscription, 'period_end');
  expect(await read()).toMatchObject({ price_id: 'price_scale', status: 'active', ends_with_period: true });
  await billing.changePrice(subscription, 'price_growth', { chargeNow: false });
  expect(await read()).toMatchObject({ price_id: 'price_growth', ends_with_period: false });
  await billing.endSubscription(subscription, 'now');
  expect(await read()).toBeUndefined();
  const [event] = stripe.account.events;
  expect(await billing.findEvent(event?.id ?? '')).toEqual({
    id: event?.id,
    type: 'customer.created',
    customer_id: id,
  });
  expect(await billing.findEvent('evt_none')).toBeNull();
  expect(stripe.violations.filter((each) => !each.includes('evt_none'))).toEqual([]);
  expect(new Set(stripe.requests.map(({ name }) => name)).size).toBe(12);
});

test('the Stripe client creates one customer however often an account asks', async () => {
  await using world = await stripeWorld();
  const ids = await Promise.all([1, 2, 3].map(() => world.billing.createCustomer(ada)));
  expect(new Set(ids).size).toBe(1);
  expect(world.stripe.account.customers.size).toBe(1);
  expect(await world.billing.createCustomer({ ...ada, account_id: 'acc_1' as AccountId })).not.toBe(ids[0]);
  // Idempotency keys must contain no mail address, because other systems may log the keys.
  expect(JSON.stringify(world.stripe.requests.map(({ idempotencyKey }) => idempotencyKey))).not.toContain(
    'ada',
  );
});

test('Stripe charges the card that was added last, until the customer chooses another card', async () => {
  await using world = await stripeWorld();
  const { stripe, billing } = world;
  const id = await billing.createCustomer(ada);
  expect(await billing.readCustomer(id, null)).toEqual({
    card: null,
    newest_card_at: null,
    subscriptions: [],
  });
  const first = stripe.account.addCard(id, 'pays', { last4: '0001' });
  expect(await billing.readCustomer(id, null)).toMatchObject({
    card: { last4: '0001' },
    newest_card_at: START,
  });
  const second = stripe.account.addCard(id, 'pays', { last4: '0002' });
  Object.assign(stripe.account.cards.get(second) ?? {}, { created: START / 1000 + 60 });
  const both = await billing.readCustomer(id, START);
  expect(both).toMatchObject({ card: { last4: '0002' }, newest_card_at: START + 60_000 });
  expect(stripe.account.defaultCard(id)?.id).toBe(second);
  stripe.account.customer(id)['invoice_settings'] = { default_payment_method: first };
  expect((await billing.readCustomer(id, START + 60_000))?.card?.last4).toBe('0001');
  stripe.account.removeCard(first);
  expect((await billing.readCustomer(id, START + 60_000))?.card?.last4).toBe('0002');
});

test('the Stripe client reports that a customer is gone if Stripe deleted or never had the customer', async () => {
  await using world = await stripeWorld();
  const id = await world.billing.createCustomer(ada);
  world.stripe.account.deleteCustomer(id);
  expect(await world.billing.readCustomer(id, null)).toBeNull();
  expect(await world.billing.readCustomer('cus_none', null)).toBeNull();
});

test.each<StripeMood>(['silent', 'dripping', 'failing', 'closed'])(
  'the Stripe client responds with billing_unavailable within the deadline while Stripe is %s',
  async (mood) => {
    await using world = await stripeWorld(100);
    world.stripe.mood = mood;
    const calls: (() => Promise<unknown>)[] = [
      () => world.billing.createCustomer(ada),
      () => world.billing.readCustomer('cus_1', null),
      () => world.billing.checkCard('cus_1'),
      () => world.billing.subscribe('cus_1', 'price_growth', 'choice'),
    ];
    for (const call of calls) {
      const error = await failureOf(call);
      expect({ code: error.code, retryAfterS: error.retry_after_s }).toEqual({
        code: 'billing_unavailable',
        retryAfterS: 60,
      });
    }
  },
);

test.each([
  ['declines', 'Your card was declined.', /another card/],
  ['wants_confirmation', 'The bank wants the card to be confirmed.', /confirm it with the bank/],
] as const)('a card whose bank %s is declined, and leaves nothing behind', async (bank, message, fix) => {
  await using world = await stripeWorld();
  const { stripe, billing } = world;
  const id = await billing.createCustomer(ada);
  stripe.account.addCard(id, bank);
  await billing.readCustomer(id, null);
  for (const call of [() => billing.checkCard(id), () => billing.subscribe(id, 'price_growth', 'choice')]) {
    const error = await failureOf(call);
    expect([error.code, error.message]).toEqual(['card_declined', message]);
    expect(error.fix).toMatch(fix);
  }
  expect(stripe.account.subscriptions.size).toBe(0);
});

test('the Stripe client reports a wrong API key as an internal error, not as an error of the customer', async () => {
  await using world = await stripeWorld();
  const settings = { ...SETTINGS, secretKey: 'sk_test_wrong', apiUrl: world.stripe.url };
  const call = createStripeBilling(settings).createCustomer(ada);
  await expect(call).rejects.toMatchObject({ type: 'StripeAuthenticationError' });
});

test.each<[string, (billing: Billing, body: string, signature: string) => unknown]>([
  ['no signature', (billing, body) => billing.readWebhook(Buffer.from(body), null, START)],
  [
    'a changed body',
    (billing, body, signature) => billing.readWebhook(Buffer.from(`${body} `), signature, START),
  ],
  [
    'a changed signature',
    (billing, body, signature) => billing.readWebhook(Buffer.from(body), `${signature}0`, START),
  ],
  ['an empty signature', (billing, body) => billing.readWebhook(Buffer.from(body), '', START)],
  [
    'an old signature',
    (billing, body, signature) => billing.readWebhook(Buffer.from(body), signature, START + 301_000),
  ],
])('the Stripe client refuses a webhook with %s', async (_, read) => {
  await using world = await stripeWorld();
  await world.billing.createCustomer(ada);
  const [event] = world.stripe.account.events;
  if (event === undefined) throw new Error('there is no event');
  const { body, signature } = world.stripe.sign(event);
  expect(read(world.billing, body, signature)).toBeNull();
  expect(world.billing.readWebhook(Buffer.from(body), signature, START + 299_000)?.id).toBe(event.id);
});

async function failureOf(call: () => Promise<unknown>): Promise<ServiceError> {
  try {
    await call();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('the call did not fail');
}
