import { describe, expect, test } from 'vitest';
import {
  type Account,
  checkDomainFits,
  checkLiveModeAllowed,
  type DomainUsage,
  effectivePlan,
  onTrial,
} from '../../../shared/core/accounts/account.ts';
import { PLAN_NAMES, PLANS } from '../../../shared/core/accounts/plan.ts';
import { ServiceError } from '../../../shared/core/errors.ts';
import { makeId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';
import { T0 } from '../domains/sample-domain.ts';

/** Creates an account that is 30 days old and whose trial ended long ago. */
function account(fields: Partial<Account> = {}): Account {
  return {
    id: makeId('acc', T0, new Uint8Array(10)),
    name: 'Acme',
    plan: 'free',
    trial_ends_at: null,
    promotional: false,
    card_on_file: false,
    suspended: false,
    created_at: T0 - 30 * DAY_MS,
    ...fields,
  };
}
const TRIAL = { trial_ends_at: T0 + DAY_MS };

/** Returns the error that `act` throws; null if it throws none. */
function refusal(act: () => void): ServiceError | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

test('the plans match the documented table', () => {
  const rows = PLAN_NAMES.map((name) => {
    const { included, limit, per_domain_origin, whitelabel, live_keys } = PLANS[name];
    return [name, included, limit, per_domain_origin, whitelabel, live_keys];
  });
  expect(rows).toEqual([
    ['free', 3, 3, false, false, false],
    ['growth', 50, 100, false, true, true],
    ['scale', 500, 1000, true, true, true],
    ['enterprise', 10_000, 20_000, true, true, true],
  ]);
});

describe('the trial of an account has the features of Growth for some time', () => {
  test('ends exactly at trial_ends_at', () => {
    expect(onTrial(account({ trial_ends_at: T0 }), T0 - 1)).toBe(true);
    expect(onTrial(account({ trial_ends_at: T0 }), T0)).toBe(false);
    expect(onTrial(account(), T0)).toBe(false);
  });

  test('grants the features of Growth, and never reduces a bought plan', () => {
    expect(effectivePlan(account(TRIAL), PLANS, T0)).toBe(PLANS.growth);
    expect(effectivePlan(account(TRIAL), PLANS, T0 + DAY_MS)).toBe(PLANS.free);
    for (const plan of ['growth', 'scale', 'enterprise'] as const) {
      expect(effectivePlan(account({ ...TRIAL, plan }), PLANS, T0)).toBe(PLANS[plan]);
      expect(onTrial(account({ ...TRIAL, plan }), T0)).toBe(false);
    }
  });
});

describe('an account needs a paid plan, a card or a promotion to create live keys', () => {
  const code = (fields: Partial<Account>) =>
    refusal(() => checkLiveModeAllowed(account(fields), PLANS, T0))?.code ?? 'allowed';

  test.each([
    ['plain free', {}, 'live_keys_need_plan'],
    ['free after the trial', { trial_ends_at: T0 }, 'live_keys_need_plan'],
    ['free, promotional', { promotional: true }, 'allowed'],
    ['free with a card', { card_on_file: true }, 'allowed'],
    ['on trial', TRIAL, 'card_required'],
    ['on trial with a card', { ...TRIAL, card_on_file: true }, 'allowed'],
    ['on trial, promotional', { ...TRIAL, promotional: true }, 'allowed'],
    ['growth', { plan: 'growth' }, 'allowed'],
    ['scale', { plan: 'scale' }, 'allowed'],
    ['enterprise, its trial still running', { ...TRIAL, plan: 'enterprise' }, 'allowed'],
  ] as const)('%s: %s is %s', (_, fields, expected) => {
    expect(code(fields)).toBe(expected);
  });
});

describe('the live domains of an account are limited', () => {
  const fits = (fields: Partial<Account>, usage: DomainUsage, now = T0) =>
    refusal(() => checkDomainFits(account(fields), usage, PLANS, 'careers.acme.com', now));
  const uses = (used: number, added = used): DomainUsage => ({ used, added });
  const plansOf = (error: ServiceError | null) => error?.status_detail?.['plans'];

  test.each([
    ['free', 3],
    ['growth', 100],
    ['scale', 1000],
    ['enterprise', 20_000],
  ] as const)('the plan %s allows a further domain up to the limit of %i', (plan, limit) => {
    expect(fits({ plan }, uses(limit - 1))).toBeNull();
    expect(fits({ plan }, uses(limit))).toMatchObject({
      code: 'domain_limit_reached',
      status: 422,
      status_detail: { plan, trial: false, used: limit, limit, hostname: 'careers.acme.com' },
    });
    expect(fits({ plan }, uses(limit + 50))?.code).toBe('domain_limit_reached');
  });

  test('a refusal lists only the plans that have room for a further domain', () => {
    const growth = { plan: 'growth', included: 50, limit: 100 };
    const scale = { plan: 'scale', included: 500, limit: 1000 };
    const enterprise = { plan: 'enterprise', included: 10_000, limit: 20_000 };
    expect(plansOf(fits({}, uses(3)))).toEqual([growth, scale, enterprise]);
    expect(plansOf(fits({}, uses(99)))).toEqual([growth, scale, enterprise]);
    expect(plansOf(fits({}, uses(100)))).toEqual([scale, enterprise]);
    expect(plansOf(fits({ plan: 'scale' }, uses(1000)))).toEqual([enterprise]);
    expect(plansOf(fits({ plan: 'enterprise' }, uses(20_000)))).toEqual([]);
  });

  test('a trial has the limit of the plan Growth, and the error mentions the trial', () => {
    expect(fits(TRIAL, uses(99))).toBeNull();
    expect(fits(TRIAL, uses(100))?.status_detail).toEqual({
      plan: 'free',
      trial: true,
      used: 100,
      limit: 100,
      hostname: 'careers.acme.com',
      plans: [
        { plan: 'scale', included: 500, limit: 1000 },
        { plan: 'enterprise', included: 10_000, limit: 20_000 },
      ],
    });
    expect(fits(TRIAL, uses(99), T0 + DAY_MS)?.status_detail).toMatchObject({ trial: false, limit: 3 });
  });

  test("the operator's own table of plans sets the limit", () => {
    const plans = { ...PLANS, free: { ...PLANS.free, limit: 1 } };
    const error = refusal(() => checkDomainFits(account(), uses(1), plans, 'a.acme.com', T0));
    expect(error?.status_detail).toMatchObject({ limit: 1, used: 1 });
  });

  describe('a new account can add ten domains in 24 hours', () => {
    const fresh = { plan: 'scale', created_at: T0 } as const;

    test('deleted domains use up the limit too, until 24 hours have passed', () => {
      expect(fits(fresh, uses(9))).toBeNull();
      expect(fits(fresh, uses(0, 9))).toBeNull();
      expect(fits(fresh, uses(0, 10), T0 + 24 * HOUR_MS - 1)?.code).toBe('domain_limit_reached');
      expect(fits(fresh, uses(0, 10), T0 + 24 * HOUR_MS)).toBeNull();
      expect(fits(fresh, uses(500, 500), T0 + 24 * HOUR_MS)).toBeNull();
    });

    test('the refusal suggests no other plan', () => {
      const error = fits(fresh, uses(8, 10));
      expect(error?.message).toContain('first 24 hours');
      expect(error?.status_detail).toEqual({
        plan: 'scale',
        trial: false,
        used: 10,
        limit: 10,
        hostname: 'careers.acme.com',
        plans: [],
      });
    });

    test("the plan's limit applies if it is lower", () => {
      expect(fits({ created_at: T0 }, uses(3))?.status_detail).toMatchObject({ plan: 'free', limit: 3 });
    });
  });
});
