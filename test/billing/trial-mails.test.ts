import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../shared/core/instant.ts';
import { trialNotices } from '../../shared/operations/billing/billing-mails.ts';
import { choosePlan } from '../../shared/operations/billing/choose-plan.ts';
import { changeAccount } from '../../shared/operations/operator/accounts.ts';
import { billingWorld } from './billing-world.ts';

const IN_THREE = 'The trial of Ada ends in 3 days';
const IN_ONE = 'The trial of Ada ends in 1 day';
const OVER = 'The trial of Ada has ended';

test('the end of a trial is announced three days before, one day before, and at the end', async () => {
  await using world = await billingWorld();
  await world.openAccount('Ada');
  await world.pass(11 * DAY_MS - HOUR_MS);
  expect(world.subjects()).toEqual([]);
  await world.pass(HOUR_MS);
  expect(world.subjects()).toEqual([IN_THREE]);
  expect(world.mails[0]?.text).toContain('ends on 2026-01-15');
  await world.pass(2 * DAY_MS);
  expect(world.subjects()).toEqual([IN_THREE, IN_ONE]);
  await world.pass(DAY_MS);
  expect(world.subjects()).toEqual([IN_THREE, IN_ONE, OVER]);
  await world.pass(10 * DAY_MS);
  expect(world.mails).toHaveLength(3);
});

test('an account with a plan gets no trial mails, and an account with an extended trial gets them again', async () => {
  await using world = await billingWorld();
  const ada = await world.openAccount('Ada');
  const bob = await world.openAccount('Bob');
  await world.pass(12 * DAY_MS);
  expect(world.subjects().sort()).toEqual([IN_THREE, 'The trial of Bob ends in 3 days']);
  await world.saveCard(bob.id);
  await choosePlan(world.context, 'bob@example.com', bob.id, 'growth');
  await changeAccount(world.context, 'operator', ada.id, { trial_ends_at: world.clock.now() + 30 * DAY_MS });
  await world.pass(31 * DAY_MS);
  expect(world.subjects().slice(2)).toEqual([IN_THREE, IN_ONE, OVER]);
});

test('without a billing provider, no mail announces the end of a trial, because the account could not choose a plan', async () => {
  await using world = await billingWorld();
  world.context.billing = null;
  await world.openAccount('Ada');
  await world.pass(15 * DAY_MS);
  expect(world.mails).toEqual([]);
});

test.each([
  ['before all of them', 10 * DAY_MS, null, { due: null, next: 7 * DAY_MS }],
  ['at the first', 3 * DAY_MS, null, { due: 3, next: 2 * DAY_MS }],
  ['after the first is sent', 3 * DAY_MS, 3, { due: null, next: 2 * DAY_MS }],
  ['late for two', 0.5 * DAY_MS, null, { due: 1, next: 0.5 * DAY_MS }],
  ['late for all', -DAY_MS, null, { due: 0, next: null }],
  ['after the end is told', -DAY_MS, 0, { due: null, next: null }],
  ['too late', -8 * DAY_MS, 1, { due: null, next: null }],
])(
  'the schedule of trial mails says which mail is due and when the next one comes: %s',
  (_, leftMs, sent, expected) => {
    const now = 100 * DAY_MS;
    const { due, next } = trialNotices(now + leftMs, sent, now);
    expect({ due, next: next === null ? null : next - now }).toEqual(expected);
  },
);
