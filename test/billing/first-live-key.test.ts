import { expect, test } from 'vitest';
import { createStripeBilling } from '../../service/billing/stripe-billing.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import { createKey } from '../../shared/operations/apps/api-keys.ts';
import type { Caller } from '../../shared/operations/context.ts';
import { openApp } from '../../shared/operations/operator/accounts.ts';
import { createAccountKey } from '../../shared/operations/operator/keys.ts';
import { countKeys } from '../../shared/store/accounts/api-keys.ts';
import { type BillingWorld, billingWorld } from './billing-world.ts';
import type { Bank } from './stripe/stripe-account.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from './stripe/stripe-server.ts';

/** Creates an account whose free trial is running, with a card but without a live key. */
async function onTrial(bank: Bank) {
  const world = await billingWorld();
  const { id, app, live_key } = await world.openAccount('Ada');
  expect(live_key).toBeNull();
  await world.saveCard(id, bank);
  const keyId = world.context.ids('key');
  // A caller from the dashboard: a member with a recent sign-in, who acts in live mode without an API key.
  const caller: Caller = { app_id: app.id, account_id: id, key_id: keyId, mode: 'live', idempotency: null };
  const create = (mode: 'live' | 'test' = 'live') =>
    createKey(world.context, caller, { body: { name: 'K', mode } });
  return Object.assign(world, { id, create });
}

const checks = ({ stripe }: BillingWorld) =>
  stripe.requests.filter(({ name }) => name === 'POST /v1/setup_intents').length;

test('Stripe checks the card for the first live key, but not for further keys', async () => {
  await using world = await onTrial('pays');
  expect((await world.create('test')).status).toBe(201);
  expect(checks(world)).toBe(0);
  expect((await world.create()).body.key).toMatch(/^sk_live_/);
  expect((await world.create()).status).toBe(201);
  expect(checks(world)).toBe(1);
  expect(world.stripe.violations).toEqual([]);
});

test.each(['declines', 'wants_confirmation'] as const)(
  'with a card whose bank %s, no live key is created',
  async (bank) => {
    await using world = await onTrial(bank);
    await expect(world.create()).rejects.toMatchObject({ code: 'card_declined', status: 402 });
    await expect(
      createAccountKey(world.context, 'operator', world.id, { name: 'K', mode: 'live' }),
    ).rejects.toMatchObject({ code: 'card_declined' });
    expect(await countKeys(world.context.store, world.id, ['live'])).toBe(0);
    // The first live key of a new app must not bypass the check of the card.
    expect((await openApp(world.context, 'operator', world.id, 'Second')).live_key).toBeNull();
    await world.saveCard(world.id, 'pays');
    expect((await world.create()).status).toBe(201);
    expect((await openApp(world.context, 'operator', world.id, 'Third')).live_key).toMatch(/^sk_live_/);
  },
);

test('the first live key is not created while Stripe does not respond', async () => {
  await using world = await onTrial('pays');
  const settings = { secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET, apiUrl: world.stripe.url };
  world.context.billing = createStripeBilling(settings, { deadlineMs: 50 });
  world.stripe.mood = 'silent';
  await expect(world.create()).rejects.toMatchObject({
    code: 'billing_unavailable',
    status: 503,
    retry_after_s: 60,
  });
  expect(await countKeys(world.context.store, world.id, ['live'])).toBe(0);
  expect((await world.create('test')).status).toBe(201);
});

test.each<[string, object, string | null]>([
  ['on trial without a card', {}, 'card_required'],
  ['on Free without a card', { trial_ends_at: null }, 'live_keys_need_plan'],
  ['that is promotional', { trial_ends_at: null, promotional: true }, null],
  ['with a paid plan', { plan: 'growth' }, null],
  ['with a card that an operator has noted', { card_on_file: true }, null],
])('the creation of a live key sends no request to Stripe for an account %s', async (_, terms, code) => {
  await using world = await billingWorld();
  const { account, live_key } = await world.openAccount('Ada', terms);
  expect(live_key === null).toBe(code !== null);
  const created = createAccountKey(world.context, 'operator', account.id, { name: 'K', mode: 'live' });
  if (code === null) expect((await created).key).toMatch(/^sk_live_/);
  else await expect(created).rejects.toMatchObject({ code });
  expect(world.stripe.requests).toEqual([]);
});

test('the creation of a live key sends no request to Stripe for an unknown account', async () => {
  await using world = await billingWorld();
  const created = createAccountKey(world.context, 'operator', 'acc_0' as AccountId, {
    name: 'K',
    mode: 'live',
  });
  await expect(created).rejects.toMatchObject({ code: 'not_found' });
  expect(world.stripe.requests).toEqual([]);
});
