import { expect, test } from 'vitest';
import { DAY_MS } from '../../shared/core/instant.ts';
import { choosePlan } from '../../shared/operations/billing/choose-plan.ts';
import { handleStripeWebhook, syncCustomer } from '../../shared/operations/billing/sync-customer.ts';
import { replayEvent, syncAccount, syncAllAccounts } from '../../shared/operations/operator/billing.ts';
import { pruneStore } from '../../shared/operations/prune-store.ts';
import { findBillingAccount } from '../../shared/store/accounts/billing-accounts.ts';
import { billingWorld } from './billing-world.ts';

const ADA = 'ada@example.com';

async function subscribed() {
  const world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  await world.deliverNew();
  return Object.assign(world, { id, customer: await world.customerId(id) });
}

test('a webhook of Stripe causes a read of the current state; its content is not trusted', async () => {
  await using world = await subscribed();
  const { account } = world.stripe;
  account.cancel(account.subscriptionOf(world.customer));
  account.subscribe(world.customer, 'price_scale');
  await world.deliverNew();
  expect(await world.account(world.id)).toMatchObject({ plan: 'scale' });
});

test("the billing state is the same for any order of Stripe's events", async () => {
  await using world = await subscribed();
  const { account } = world.stripe;
  Object.assign(account.defaultCard(world.customer) ?? {}, { bank: 'declines' });
  account.endPeriod(world.customer);
  account.payInvoices(world.customer);
  account.cancel(account.subscriptionOf(world.customer));
  await world.deliverNew((events) => events.reverse());
  expect(await findBillingAccount(world.context.store, world.id)).toMatchObject({
    plan: null,
    payment_failed_at: null,
  });
  expect(await world.account(world.id)).toMatchObject({ plan: 'free', suspended: false });
  expect(world.mails).toEqual([]);
});

test('a repeated event of Stripe is recognised, but an operator can replay it', async () => {
  await using world = await subscribed();
  const { account } = world.stripe;
  account.cancel(account.subscriptionOf(world.customer));
  const event = account.events.at(-1);
  if (event === undefined) throw new Error('there is no event');
  expect(await world.deliver(event)).toBe('taken');
  const asked = world.stripe.requests.length;
  expect(await world.deliver(event)).toBe('repeated');
  expect(await Promise.all([world.deliver(event), world.deliver(event)])).toEqual(['repeated', 'repeated']);
  expect(world.stripe.requests).toHaveLength(asked);
  const replayed = await replayEvent(world.context, 'operator', event.id);
  expect(replayed).toMatchObject({ outcome: 'taken', account_id: world.id, event: { type: event['type'] } });
  await world.settle();
  expect(await world.account(world.id)).toMatchObject({ plan: 'free' });
  await expect(replayEvent(world.context, 'operator', 'evt_none')).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await world.audit()).toContainEqual(
    expect.objectContaining({ actor: 'operator', action: 'billing.replay', subject: event.id }),
  );
});

test('processed events are deleted after 30 days, when Stripe no longer repeats them', async () => {
  await using world = await subscribed();
  const count = async () =>
    (await world.context.store.db.selectFrom('billing_events').select('id').execute()).length;
  expect(await count()).toBeGreaterThan(3);
  world.clock.move(31 * DAY_MS);
  await pruneStore(world.context);
  expect(await count()).toBe(0);
});

test("Stripe's events about unknown customers are ignored", async () => {
  await using world = await subscribed();
  const { account } = world.stripe;
  const other = { ...account.make('cus', 'customer') };
  account.emit('customer.created', other);
  account.emit('payout.paid', { ...account.make('po', 'payout') });
  account.emit('charge.succeeded', { ...account.make('ch', 'charge'), customer: null });
  for (const event of account.events.slice(-3)) expect(await world.deliver(event)).toBe('ignored');
});

test('a webhook without a valid signature is refused, and nothing is stored', async () => {
  await using world = await subscribed();
  const body = Buffer.from('{"id":"evt_1"}');
  for (const signature of [null, '', 't=1,v1=00', 'v1=00'])
    await expect(handleStripeWebhook(world.context, { body, signature })).rejects.toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
  const [event] = world.stripe.account.events;
  if (event === undefined) throw new Error('there is no event');
  const old = world.stripe.account.seconds() - 301;
  await expect(world.deliver(event, old)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the billing state is read again if a newer state was stored during the read', async () => {
  await using world = await subscribed();
  const { account } = world.stripe;
  let interrupted = false;
  world.stripe.meanwhile = async ({ name }) => {
    if (interrupted || name !== 'GET /v1/subscriptions') return;
    interrupted = true;
    // The subscription ends during the service's first read. A second read must store the end.
    account.cancel(account.subscriptionOf(world.customer));
    await syncCustomer(world.context, world.id);
    account.subscribe(world.customer, 'price_scale');
    await syncCustomer(world.context, world.id);
  };
  await syncCustomer(world.context, world.id);
  expect(await world.account(world.id)).toMatchObject({ plan: 'scale' });
  const stored = await findBillingAccount(world.context.store, world.id);
  expect(stored).toMatchObject({ plan: 'scale', version: expect.any(Number) });
});

test('an event whose webhook was lost is noticed within a day', async () => {
  await using world = await subscribed();
  world.stripe.account.cancel(world.stripe.account.subscriptionOf(world.customer));
  await world.pass(DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ plan: 'free' });
});

test('an event that arrives while Stripe is down is applied once Stripe responds', async () => {
  await using world = await subscribed();
  const { account } = world.stripe;
  account.cancel(account.subscriptionOf(world.customer));
  world.stripe.mood = 'closed';
  await world.deliverNew();
  expect(await world.account(world.id)).toMatchObject({ plan: 'growth' });
  expect(world.logged).toContain('a job failed; it will be retried');
  world.stripe.mood = 'well';
  await world.pass(2 * 3_600_000);
  expect(await world.account(world.id)).toMatchObject({ plan: 'free' });
});

test('if Stripe deletes a customer, the account changes to Free and can choose a plan again', async () => {
  await using world = await subscribed();
  world.stripe.account.deleteCustomer(world.customer);
  await world.deliverNew();
  expect(await world.account(world.id)).toMatchObject({ plan: 'free', card_on_file: false });
  await expect(syncAccount(world.context, 'operator', world.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('an operator can apply the billing state of every account; a failure for one account does not affect other accounts', async () => {
  await using world = await subscribed();
  const others = [];
  for (const name of ['Bob', 'Cleo']) {
    const { id } = await world.openAccount(name);
    await world.saveCard(id);
    others.push(id);
  }
  world.stripe.account.cancel(world.stripe.account.subscriptionOf(world.customer));
  world.stripe.account.subscribe(await world.customerId(others[1] ?? world.id), 'price_scale');
  const broken = await world.customerId(others[0] ?? world.id);
  world.stripe.account.customer(broken)['invoice_settings'] = undefined;
  const done = await syncAllAccounts(world.context, 'operator');
  expect(done.synced).toBe(2);
  expect(done.failed.map(({ account_id }) => account_id)).toEqual([others[0]]);
  expect(await world.account(world.id)).toMatchObject({ plan: 'free' });
  expect(await world.account(others[1] ?? world.id)).toMatchObject({ plan: 'scale' });
});
