import { type Account, onTrial } from '../../core/accounts/account.ts';
import type { PaymentCard } from '../../core/accounts/billing-state.ts';
import { DUNNING_MS } from '../../core/accounts/dunning.ts';
import { PLAN_NAMES, type PlanName } from '../../core/accounts/plan.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { findBillingAccount, newBillingAccount } from '../../store/accounts/billing-accounts.ts';
import type { Context } from '../context.ts';
import { accountOfCustomer } from './billing-provider.ts';

/** The plan and the payments of an account, without fields that its members may not see. */
export interface BillingSummary {
  account: Account;
  /** False if the operator manages plans and cards by hand. Then the account cannot choose a plan or add a card. */
  has_provider: boolean;
  on_trial: boolean;
  card: PaymentCard | null;
  /** The plan that the subscription pays for. It may differ from the account's plan, which an operator can change. */
  paid_plan: PlanName | null;
  /** A plan that was chosen and does not apply yet. */
  plan_asked: PlanName | null;
  /** When the paid period ends. The subscription is then renewed, or ends if `ends_with_period`. */
  period_ends_at: Instant | null;
  ends_with_period: boolean;
  payment_failed_at: Instant | null;
  /** When the account will be suspended if the payment is still owed. */
  suspends_at: Instant | null;
  /** The plans that can be chosen, in ascending order. */
  choices: PlanName[];
}

/** Returns the plan and the payments of an account, as last read from the provider. @throws ServiceError `not_found`. */
export async function getBilling(context: Context, accountId: AccountId): Promise<BillingSummary> {
  const { store, settings, clock } = context;
  const account = await accountOfCustomer(context, accountId);
  const billing = (await findBillingAccount(store, accountId)) ?? newBillingAccount(accountId);
  const { subscription, payment_failed_at } = billing;
  const isDunned = payment_failed_at !== null && !account.suspended;
  return {
    account,
    has_provider: context.billing !== null,
    on_trial: onTrial(account, clock.now()),
    card: billing.card,
    paid_plan: billing.plan,
    plan_asked: billing.plan_asked,
    period_ends_at: subscription?.period_ends_at ?? null,
    ends_with_period: subscription?.ends_with_period ?? false,
    payment_failed_at,
    suspends_at: isDunned ? payment_failed_at + DUNNING_MS : null,
    choices:
      context.billing === null ? [] : PLAN_NAMES.filter((name) => isChoice(name, settings.plans[name])),
  };
}

function isChoice(name: PlanName, { prices = [] }: { prices?: readonly string[] }): boolean {
  return name === 'free' || prices.length > 0;
}
