import { expect, test } from 'vitest';
import { PLANS, type PlanTable, planRequirement } from '../../../shared/core/accounts/plan.ts';

test('the text about the plans that a feature needs also names the trial if the plan Growth has the feature', () => {
  expect(planRequirement(PLANS, 'per_domain_origin')).toBe('needs the Scale or Enterprise plan');
  expect(planRequirement(PLANS, 'whitelabel')).toBe(
    'needs the Growth, Scale or Enterprise plan, or the trial',
  );
});

test("the text about the plans that a feature needs follows the operator's table of plans", () => {
  const plans: PlanTable = {
    ...PLANS,
    free: { ...PLANS.free, per_domain_origin: true },
    growth: { ...PLANS.growth, whitelabel: false },
    scale: { ...PLANS.scale, whitelabel: false, per_domain_origin: false },
    enterprise: { ...PLANS.enterprise, whitelabel: false, per_domain_origin: false },
  };
  expect(planRequirement(plans, 'per_domain_origin')).toBe('needs the Free plan');
  expect(planRequirement(plans, 'whitelabel')).toBe('is in no plan of this service');
});
