import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../shared/core/instant.ts';
import { choosePlan } from '../../shared/operations/billing/choose-plan.ts';
import { getBilling } from '../../shared/operations/billing/get-billing.ts';
import { changeAccount } from '../../shared/operations/operator/accounts.ts';
import { billingWorld } from './billing-world.ts';

const ADA = 'ada@example.com';
const FAILED = 'A payment for Ada failed';

/** Creates an account on Growth whose renewal has just failed. */
async function failing() {
  const world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  const card = await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  const customer = await world.customerId(id);
  await world.deliverNew();
  Object.assign(world.stripe.account.cards.get(card) ?? {}, { bank: 'declines' });
  world.stripe.account.endPeriod(customer);
  await world.deliverNew();
  return Object.assign(world, { id, customer, failedAt: world.clock.now() });
}

test('a failed payment leads to mails over a week, and then to the suspension of the account', async () => {
  await using world = await failing();
  expect(await getBilling(world.context, world.id)).toMatchObject({
    payment_failed_at: world.failedAt,
    suspends_at: world.failedAt + 7 * DAY_MS,
    paid_plan: 'growth',
  });
  expect(world.subjects()).toEqual([FAILED]);
  await world.pass(3 * DAY_MS);
  expect(world.subjects()).toEqual([FAILED, FAILED]);
  await world.pass(3 * DAY_MS);
  expect(world.subjects()).toEqual([FAILED, FAILED, FAILED]);
  await world.pass(23 * HOUR_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
  await world.pass(HOUR_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: true, plan: 'growth' });
  expect(world.subjects().slice(3)).toEqual(['Ada is suspended']);
  await world.pass(3 * DAY_MS);
  expect(world.mails).toHaveLength(4);
  for (const { to, text, unsubscribe_url } of world.mails) {
    expect({ to, unsubscribe_url }).toEqual({ to: ADA, unsubscribe_url: null });
    expect(text).toContain('http://127.0.0.1:1/dashboard/billing');
  }
  expect(world.mails[0]?.text).toContain('still open on 2026-01-08');
  expect(new Set(world.mails.map(({ message_id }) => message_id)).size).toBe(4);
});

test('a payment resumes the suspended account, and the audit log records everything', async () => {
  await using world = await failing();
  await world.pass(7 * DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: true });
  world.clock.move(1000);
  world.stripe.account.payInvoices(world.customer);
  await world.deliverNew();
  expect(await world.account(world.id)).toMatchObject({ suspended: false, plan: 'growth' });
  expect(world.subjects().at(-1)).toBe('Ada is active again');
  const changes = (await world.audit())
    .filter(({ actor }) => actor === 'billing')
    .map(({ action, detail }) => [action, detail]);
  // Sorts the first two entries, because entries of one transaction have the same time and no defined order.
  expect(changes.slice(0, 2).sort()).toEqual([
    ['account.update', { suspended: false }],
    ['billing.payment_received', null],
  ]);
  expect(changes[2]).toEqual(['account.update', { suspended: true }]);
  expect(changes.slice(3)).toContainEqual(['billing.payment_failed', null]);
  // After the next failed payment, the series of mails begins again.
  world.stripe.account.endPeriod(world.customer);
  await world.deliverNew();
  expect(world.subjects().at(-1)).toBe(FAILED);
  await world.pass(6 * DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
});

test.each([
  ['Stripe ends the subscription', 'ended'],
  ['the customer chooses Free', 'left'],
] as const)('no mail reports a payment that never arrived: %s', async (_, how) => {
  await using world = await failing();
  await world.pass(7 * DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: true });
  const mails = world.subjects();
  if (how === 'left') await choosePlan(world.context, ADA, world.id, 'free');
  else world.stripe.account.cancel(world.stripe.account.subscriptionOf(world.customer));
  await world.deliverNew();
  await world.pass(3 * DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: false, plan: 'free' });
  expect(world.subjects()).toEqual(mails);
});

test('a late payment before the suspension ends the mails', async () => {
  await using world = await failing();
  await world.pass(4 * DAY_MS);
  world.stripe.account.payInvoices(world.customer);
  await world.deliverNew();
  expect(world.subjects()).toEqual([FAILED, FAILED, 'The payment for Ada arrived']);
  await world.pass(10 * DAY_MS);
  expect(world.mails).toHaveLength(3);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
});

test('a failed payment whose event was lost is noticed before the account is suspended', async () => {
  await using world = await failing();
  await world.pass(6 * DAY_MS + 23 * HOUR_MS);
  world.stripe.account.payInvoices(world.customer);
  await world.pass(DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
});

test('no account is suspended while Stripe does not respond', async () => {
  await using world = await failing();
  await world.pass(6 * DAY_MS + 23 * HOUR_MS);
  world.stripe.mood = 'failing';
  for (let hour = 0; hour < 3; hour++) await world.pass(HOUR_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
  world.stripe.mood = 'well';
  await world.pass(3 * HOUR_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: true });
});

test('after an outage of the worker, a customer still has a day to pay after each mail', async () => {
  await using world = await failing();
  world.clock.move(20 * DAY_MS);
  await world.settle();
  expect(world.subjects()).toEqual([FAILED, FAILED]);
  expect(world.mails[1]?.text).toContain('still open on 2026-01-23');
  await world.pass(DAY_MS);
  expect(world.subjects()).toEqual([FAILED, FAILED, FAILED]);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
  await world.pass(DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: true });
});

test('if an operator resumes or suspends an account with a failed payment, the service does not undo this change', async () => {
  await using world = await failing();
  await world.pass(7 * DAY_MS);
  await changeAccount(world.context, 'operator', world.id, { suspended: false });
  await world.pass(3 * DAY_MS);
  expect(await world.account(world.id)).toMatchObject({ suspended: false });
  await changeAccount(world.context, 'operator', world.id, { suspended: true });
  world.stripe.account.payInvoices(world.customer);
  await world.deliverNew();
  expect(await world.account(world.id)).toMatchObject({ suspended: true });
});

test('mails about a failed payment go only to owners who have joined', async () => {
  await using world = await failing();
  await world.addMember(world.id, 'second@example.com', 'owner');
  await world.addMember(world.id, 'invited@example.com', 'owner', false);
  await world.addMember(world.id, 'dev@example.com', 'developer');
  await world.addMember(world.id, 'view@example.com', 'viewer');
  await world.pass(3 * DAY_MS);
  const addressees = world.mails.slice(1).map(({ to }) => to);
  expect(addressees.sort()).toEqual([ADA, 'second@example.com']);
});

test('a billing mail is sent again after a temporary error of the mail server, and dropped after a refusal', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada\nBcc: <evil.example>');
  await world.saveCard(id);
  await choosePlan(world.context, ADA, id, 'growth');
  const sender = world.context.mailer;
  const tried: string[] = [];
  world.context.mailer = {
    async send({ message_id }) {
      tried.push(message_id);
      throw new Error('the server is busy');
    },
  };
  for (const card of world.stripe.account.cards.values()) card.bank = 'declines';
  world.stripe.account.endPeriod(await world.customerId(id));
  await world.deliverNew();
  await world.pass(2 * HOUR_MS);
  expect(new Set(tried).size).toBe(1);
  world.context.mailer = sender;
  await world.pass(2 * HOUR_MS);
  expect(world.mails.map(({ message_id }) => message_id)).toEqual([tried[0]]);
  expect(world.mails[0]?.subject).not.toMatch(/[\n@]|evil\.example/);
  world.context.mailer = { send: async () => 'refused' };
  await world.pass(3 * DAY_MS);
  expect(await world.context.store.db.selectFrom('account_mails').selectAll().execute()).toEqual([]);
  expect(world.logged).toContain('a mail to an owner was refused');
});
