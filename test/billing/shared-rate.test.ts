import { expect, test } from 'vitest';
import type { ServiceError } from '../../shared/core/errors.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { createKey } from '../../shared/operations/apps/api-keys.ts';
import { choosePlan } from '../../shared/operations/billing/choose-plan.ts';
import { openPortal, startCardCheckout } from '../../shared/operations/billing/get-billing.ts';
import type { Caller } from '../../shared/operations/context.ts';
import { type BillingWorld, billingWorld } from './billing-world.ts';

/** All accounts share the rate limit of the billing provider. The tests of this file count the requests that reach the provider. */
const requestsOf = ({ stripe }: BillingWorld, name: string) =>
  stripe.requests.filter((request) => request.name === name).length;

/** Runs the work this number of times. @returns the numbers of successes and of refusals, by code. */
async function repeat(times: number, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (let index = 0; index < times; index++) {
    const outcome = await work().then(
      () => 'ok',
      (error: ServiceError) => error.code,
    );
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

test('2101 requests of one owner for billing pages reach Stripe 20 times, and other owners can still open billing pages', async () => {
  await using world = await billingWorld();
  const owner = await world.openAccount('Ada');
  const other = await world.openAccount('Bob');
  const both = async (id: typeof owner.id) => {
    await startCardCheckout(world.context, id);
    await openPortal(world.context, id);
  };
  expect(await repeat(1050, () => both(owner.id))).toEqual({ ok: 10, rate_limited: 1040 });
  await expect(startCardCheckout(world.context, owner.id)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(requestsOf(world, 'POST /v1/checkout/sessions')).toBe(10);
  expect(requestsOf(world, 'POST /v1/billing_portal/sessions')).toBe(10);
  expect(await repeat(1, () => both(other.id))).toEqual({ ok: 1 });
});

test('an account that tests cards gets five card checks a day, for all its apps together', async () => {
  await using world = await billingWorld();
  const { id, app } = await world.openAccount('Ada');
  await world.saveCard(id, 'declines');
  const keyId = world.context.ids('key');
  const caller: Caller = { app_id: app.id, account_id: id, key_id: keyId, mode: 'live', idempotency: null };
  const create = () => createKey(world.context, caller, { body: { name: 'K', mode: 'live' } });
  expect(await repeat(50, create)).toEqual({ card_declined: 5, rate_limited: 45 });
  expect(requestsOf(world, 'POST /v1/setup_intents')).toBe(5);
  const other = await world.openAccount('Bob');
  await world.saveCard(other.id, 'pays');
  const otherCaller = { ...caller, app_id: other.app.id, account_id: other.id };
  expect((await createKey(world.context, otherCaller, { body: { name: 'K', mode: 'live' } })).status).toBe(
    201,
  );
  world.clock.move(DAY_MS);
  await world.saveCard(id, 'pays');
  expect((await create()).status).toBe(201);
});

test('an account can change its plan ten times an hour', async () => {
  await using world = await billingWorld();
  const { id } = await world.openAccount('Ada');
  await world.saveCard(id, 'declines');
  const choose = () => choosePlan(world.context, 'ada@example.com', id, 'growth');
  expect(await repeat(30, choose)).toEqual({ card_declined: 10, rate_limited: 20 });
});
