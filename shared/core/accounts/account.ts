import { BUDGETS } from '../budgets.ts';
import { ServiceError } from '../errors.ts';
import type { AccountId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import { LIMITS } from '../limits.ts';
import { PLAN_NAMES, type Plan, type PlanName, type PlanTable } from './plan.ts';

/** A customer of the service. */
export interface Account {
  id: AccountId;
  name: string;
  plan: PlanName;
  trial_ends_at: Instant | null;
  /** True if the account may use live keys on the free plan (`docs/api.md#keys`). */
  promotional: boolean;
  card_on_file: boolean;
  suspended: boolean;
  created_at: Instant;
}

/** Returns true during the 14-day trial. The trial grants what Growth includes, and ends when the account buys a plan. */
export function onTrial(account: Account, now: Instant): boolean {
  return account.plan === 'free' && account.trial_ends_at !== null && now < account.trial_ends_at;
}

/** Returns the plan whose limits and features apply now: Growth during the trial, else the account's own plan. */
export function effectivePlan(account: Account, plans: PlanTable, now: Instant): Plan {
  return plans[onTrial(account, now) ? 'growth' : account.plan];
}

/**
 * Returns why the account may add neither live keys nor live domains (`docs/api.md#keys`, `decisions/0020`), or null if it may add them.
 */
export function liveModeRefusal(
  account: Account,
  plans: PlanTable,
  now: Instant,
): 'card_required' | 'live_keys_need_plan' | null {
  if (plans[account.plan].live_keys || account.card_on_file || account.promotional) return null;
  return onTrial(account, now) ? 'card_required' : 'live_keys_need_plan';
}

/** Returns whether the card on file is the account's only reason to have live keys. */
export function reliesOnCard(account: Account, plans: PlanTable): boolean {
  return account.card_on_file && !plans[account.plan].live_keys && !account.promotional;
}

/** @throws ServiceError with the code that `liveModeRefusal` returns. */
export function checkLiveModeAllowed(account: Account, plans: PlanTable, now: Instant): void {
  const refusal = liveModeRefusal(account, plans, now);
  if (refusal !== null) throw new ServiceError(refusal);
}

/** Returns true in the account's first 24 hours, in which it may add only a few live domains (`docs/api.md#limits`). */
export function isNewAccount(account: Pick<Account, 'created_at'>, now: Instant): boolean {
  return now - account.created_at < LIMITS.new_account_ms;
}

export interface DomainUsage {
  /** Number of live domains that count towards the limit: neither expired nor deleted. */
  used: number;
  /** Number of live domains added since the account was created, including deleted ones. Only new accounts have a limit on this number. */
  added: number;
}

/** Returns the account's limit on each count of `DomainUsage`. The limit on `added` is null once the account is no longer new. */
export function domainLimits(
  account: Account,
  plans: PlanTable,
  now: Instant,
): { used: number; added: number | null } {
  const added = isNewAccount(account, now) ? LIMITS.new_account_domains_max : null;
  return { used: effectivePlan(account, plans, now).limit, added };
}

/** @throws ServiceError `domain_limit_reached` if the account may not add another live domain (`docs/api.md#domains`). */
export function checkDomainFits(
  account: Account,
  usage: DomainUsage,
  plans: PlanTable,
  hostname: string,
  now: Instant,
): void {
  const trial = onTrial(account, now);
  const { used: limit, added: addedMax } = domainLimits(account, plans, now);
  if (usage.used >= limit) {
    const fitting = PLAN_NAMES.filter((plan) => plans[plan].limit > usage.used);
    throw new ServiceError('domain_limit_reached', {
      status_detail: {
        plan: account.plan,
        trial,
        used: usage.used,
        limit,
        hostname,
        plans: fitting.map((plan) => ({ plan, included: plans[plan].included, limit: plans[plan].limit })),
      },
    });
  }
  if (addedMax !== null && usage.added >= addedMax) {
    throw new ServiceError('domain_limit_reached', {
      message: `A new account may add ${addedMax} live domains in its first 24 hours.`,
      fix: 'Try again when the account is 24 hours old, or contact support.',
      status_detail: {
        plan: account.plan,
        trial,
        used: usage.added,
        limit: addedMax,
        hostname,
        plans: [],
      },
    });
  }
}

/** @throws ServiceError `domain_limit_reached` if the account has reached its limit of test domains (`docs/test-mode.md`). */
export function checkTestDomainFits(
  account: Account,
  { tests: used }: { tests: number },
  hostname: string,
  now: Instant,
): void {
  const { limit } = BUDGETS.test_domains;
  if (used < limit) return;
  throw new ServiceError('domain_limit_reached', {
    message: `An account can have ${limit} test domains.`,
    fix: 'Delete test domains that you no longer need.',
    status_detail: { plan: account.plan, trial: onTrial(account, now), used, limit, hostname, plans: [] },
  });
}
