/** The plans, in ascending order. A setting can replace the table of what each plan includes (`docs/plans-and-limits.md`). */
export const PLAN_NAMES = ['free', 'growth', 'scale', 'enterprise'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export interface Plan {
  /** Number of live domains that the price includes. */
  included: number;
  /** Maximum number of live domains (`docs/api.md#domains`). */
  limit: number;
  per_domain_origin: boolean;
  whitelabel: boolean;
  live_keys: boolean;
  /**
   * Ids of the billing provider's prices for this plan. New subscriptions use the first price; earlier customers may still pay another one.
   */
  prices?: readonly string[];
}
export type PlanTable = Record<PlanName, Plan>;

export const PLANS: PlanTable = {
  free: { included: 3, limit: 3, per_domain_origin: false, whitelabel: false, live_keys: false },
  growth: { included: 50, limit: 100, per_domain_origin: false, whitelabel: true, live_keys: true },
  scale: { included: 500, limit: 1000, per_domain_origin: true, whitelabel: true, live_keys: true },
  enterprise: { included: 10_000, limit: 20_000, per_domain_origin: true, whitelabel: true, live_keys: true },
};

/**
 * Returns which plans include a feature, as the end of a sentence that begins with the feature's name: `needs the Scale or Enterprise
 * plan`.
 */
export function planRequirement(plans: PlanTable, feature: 'per_domain_origin' | 'whitelabel'): string {
  const names = PLAN_NAMES.filter((name) => plans[name][feature]).map(capitalized);
  if (names.length === 0) return 'is in no plan of this service';
  const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
  // The trial grants what Growth includes.
  return `needs the ${listed} plan${plans.growth[feature] ? ', or the trial' : ''}`;
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
