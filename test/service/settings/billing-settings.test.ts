import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { PLANS } from '../../../shared/core/accounts/plan.ts';
import { problemsOf } from './config-problems.ts';

const STRIPE = {
  NAMEPLATE_BILLING: 'stripe',
  NAMEPLATE_STRIPE_SECRET_KEY: 'rk_live_51Nx4',
  NAMEPLATE_STRIPE_WEBHOOK_SECRET: 'whsec_abc123',
};

test('without the setting of a billing provider, the operator manages plans and cards', () => {
  expect(readConfig({}).stripe).toBeNull();
  const { NAMEPLATE_BILLING: _, ...unused } = STRIPE;
  expect(readConfig(unused).stripe).toBeNull();
});

test('the setting of Stripe needs a key and the secret of a webhook endpoint', () => {
  expect(readConfig(STRIPE).stripe).toEqual({
    secretKey: 'rk_live_51Nx4',
    webhookSecret: 'whsec_abc123',
    apiUrl: null,
  });
  const problems = problemsOf({ NAMEPLATE_BILLING: 'stripe' });
  expect(Object.keys(problems).sort()).toEqual([
    'NAMEPLATE_STRIPE_SECRET_KEY',
    'NAMEPLATE_STRIPE_WEBHOOK_SECRET',
  ]);
  for (const problem of Object.values(problems)) expect(problem).toMatch(/^is missing: /);
});

test.each([
  ['NAMEPLATE_BILLING', 'paddle'],
  ['NAMEPLATE_STRIPE_SECRET_KEY', 'pk_live_51Nx4'],
  ['NAMEPLATE_STRIPE_WEBHOOK_SECRET', 'we_123'],
  ['NAMEPLATE_STRIPE_API_URL', 'stripe.internal'],
])('the setting %s=%s is refused, and the error does not contain the value', (name, value) => {
  const problem = problemsOf({ ...STRIPE, [name]: value })[name];
  expect(problem).toMatch(/^must be /);
  expect(problem).not.toContain(value);
});

test("the setting of a plan's price is one price, or a list that starts with the price that is sold now", () => {
  const pricesOf = (price: unknown) => readConfig({ NAMEPLATE_PLANS_FILE: plansWith(price) }).settings.plans;
  expect(pricesOf('price_1Nx4').growth.prices).toEqual(['price_1Nx4']);
  expect(pricesOf(['price_2', 'price_1']).growth.prices).toEqual(['price_2', 'price_1']);
  expect(pricesOf(undefined).growth.prices).toBeUndefined();
});

test.each([[5], ['prod_1'], [[]], [['price_1', 5]]])("the setting of a plan's price refuses %j", (price) => {
  expect(problemsOf({ NAMEPLATE_PLANS_FILE: plansWith(price) })['NAMEPLATE_PLANS_FILE']).toMatch(
    /growth\.price/,
  );
});

test('the setting of prices refuses a price for Free, and one price for two plans', () => {
  const problem = (plans: object) =>
    problemsOf({ NAMEPLATE_PLANS_FILE: plansFile(plans) })['NAMEPLATE_PLANS_FILE'];
  expect(problem({ ...PLANS, free: { ...PLANS.free, price: 'price_0' } })).toContain(
    'free must not have a price',
  );
  const both = {
    ...PLANS,
    growth: { ...PLANS.growth, price: 'price_1' },
    scale: { ...PLANS.scale, price: 'price_1' },
  };
  expect(problem(both)).toContain('scale.price is a price of growth too');
});

function plansWith(price: unknown): string {
  return plansFile({ ...PLANS, growth: { ...PLANS.growth, price } });
}

function plansFile(plans: object): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'plans-')), 'plans.json');
  writeFileSync(file, JSON.stringify(plans));
  return file;
}
