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
  /** Free, but with live keys (section 4.2). */
  promotional: boolean;
  card_on_file: boolean;
  suspended: boolean;
  created_at: Instant;
}

/** The 14-day trial has what Growth has; a plan that was bought is never less than itself. */
export function onTrial(account: Account, now: Instant): boolean {
  return account.plan === 'free' && account.trial_ends_at !== null && now < account.trial_ends_at;
}

/** What the account may do now. */
export function effectivePlan(account: Account, plans: PlanTable, now: Instant): Plan {
  return plans[onTrial(account, now) ? 'growth' : account.plan];
}

/** Returns why the account may add neither a live key nor a live domain (section 4.2, `decisions/0020`), or null if it may. */
export function liveModeRefusal(
  account: Account,
  plans: PlanTable,
  now: Instant,
): 'card_required' | 'live_keys_need_plan' | null {
  if (plans[account.plan].live_keys || account.card_on_file || account.promotional) return null;
  return onTrial(account, now) ? 'card_required' : 'live_keys_need_plan';
}

/** @throws ServiceError the code of `liveModeRefusal`. */
export function checkLiveModeAllowed(account: Account, plans: PlanTable, now: Instant): void {
  const refusal = liveModeRefusal(account, plans, now);
  if (refusal !== null) throw new ServiceError(refusal);
}

/** In its first 24 hours an account may add a few live domains only (section 8). */
export function isNewAccount(account: Pick<Account, 'created_at'>, now: Instant): boolean {
  return now - account.created_at < LIMITS.new_account_ms;
}

export interface DomainUsage {
  /** Live domains that count: neither expired nor deleted. */
  used: number;
  /** Live domains added since the account was created, deleted ones included. Limits only new accounts. */
  added: number;
}

/** @throws ServiceError `domain_limit_reached` where one more live domain does not fit (section 4.3, rule 5). */
export function checkDomainFits(
  account: Account,
  usage: DomainUsage,
  plans: PlanTable,
  hostname: string,
  now: Instant,
): void {
  const trial = onTrial(account, now);
  const { limit } = effectivePlan(account, plans, now);
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
  if (isNewAccount(account, now) && usage.added >= LIMITS.new_account_domains_max) {
    throw new ServiceError('domain_limit_reached', {
      message: `A new account may add ${LIMITS.new_account_domains_max} live domains in its first 24 hours.`,
      fix: 'Try again when the account is 24 hours old, or contact support.',
      status_detail: {
        plan: account.plan,
        trial,
        used: usage.added,
        limit: LIMITS.new_account_domains_max,
        hostname,
        plans: [],
      },
    });
  }
}
