import type { AccountId } from '../ids.ts';
import { DAY_MS, type Instant } from '../instant.ts';
import type { Account } from './account.ts';
import { PLAN_NAMES, type PlanName, type PlanTable } from './plan.ts';

/** The card that the provider charges, without its full number. */
export interface PaymentCard {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** A subscription at the billing provider that has not ended. */
export interface Subscription {
  id: string;
  /** Id of the subscription's only item, which is needed to change the price. */
  item_id: string;
  price_id: string;
  /** The provider's name of the status. `IN_FORCE` and `FAILING` list the statuses that this file acts on. */
  status: string;
  period_ends_at: Instant;
  /** True if the subscription ends with its current period. */
  ends_with_period: boolean;
}

/** The current state of a customer at the billing provider. */
export interface CustomerState {
  card: PaymentCard | null;
  /** When the newest saved card was added. Null without cards. */
  newest_card_at: Instant | null;
  subscriptions: readonly Subscription[];
}

/** The stored billing of an account: the state that was last read from the provider, and what the service has done about it since. */
export interface BillingAccount {
  account_id: AccountId;
  customer_id: string | null;
  card: PaymentCard | null;
  newest_card_at: Instant | null;
  subscription: Subscription | null;
  /** The plan that the subscription pays for. Null without a subscription. An operator can give the account another plan. */
  plan: PlanName | null;
  /** The chosen plan that the billing provider has not confirmed yet. */
  plan_asked: PlanName | null;
  /** Until this time, requests to choose another plan are refused. */
  asked_until: Instant | null;
  /**
   * Id of a plan choice whose outcome is unknown, else null. A repeated request to the provider sends the same id, so that it starts no
   * second subscription.
   */
  choice_id: string | null;
  choice_began_at: Instant | null;
  /** When a failed payment was first seen. Null if no payment is open. */
  payment_failed_at: Instant | null;
  /** Number of steps of `DUNNING` taken since the time in `payment_failed_at`. */
  dunning_steps: number;
  /**
   * When billing suspended the account. Null if billing did not suspend it, or if an operator has lifted or confirmed the suspension since.
   */
  suspended_at: Instant | null;
  /** End of the trial according to the latest trial mail. `trial_mailed_days` is the number of remaining days in that mail. */
  trial_mailed_for: Instant | null;
  trial_mailed_days: number | null;
  /** Increases with each write. A state that was read from the provider is stored only if `version` has not increased since. */
  version: number;
}

/** Statuses of a subscription whose plan applies. An `incomplete` subscription was never paid, and a `paused` one is not charged. */
const IN_FORCE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid']);
/** Statuses of a subscription with a payment that failed. */
const FAILING: ReadonlySet<string> = new Set(['past_due', 'unpaid']);

/** Returns whether a payment of the subscription has failed. */
export function isFailing(subscription: Subscription | null): boolean {
  return subscription !== null && FAILING.has(subscription.status);
}

/** Returns the plan that a price pays for, or null if no plan has this price. */
export function planOfPrice(plans: PlanTable, priceId: string): PlanName | null {
  return PLAN_NAMES.find((name) => plans[name].prices?.includes(priceId)) ?? null;
}

/** Returns the subscriptions in force, the highest plan first. Subscriptions whose price belongs to no plan are ignored. */
export function subscriptionsInForce(
  { subscriptions }: CustomerState,
  plans: PlanTable,
): { subscription: Subscription; plan: PlanName }[] {
  const found = subscriptions.flatMap((subscription) => {
    const plan = planOfPrice(plans, subscription.price_id);
    return plan !== null && IN_FORCE.has(subscription.status) ? [{ subscription, plan }] : [];
  });
  return found.sort((a, b) => PLAN_NAMES.indexOf(b.plan) - PLAN_NAMES.indexOf(a.plan));
}

/** The fields of an account that billing changes. */
export type BilledTerms = Partial<Pick<Account, 'plan' | 'card_on_file' | 'suspended'>>;

/** The changes in our database that follow from a customer's state at the billing provider. */
export interface BillingOutcome {
  billing: BillingAccount;
  /** Fields of the account to change. Empty if the account stays as it is. */
  terms: BilledTerms;
  /**
   * The change of a payment: it failed (`failed`), it arrived after a failure (`paid`), or the subscription ended without it (`dropped`).
   */
  payment: 'failed' | 'paid' | 'dropped' | null;
}

/**
 * Returns the changes to an account that follow from its customer's state at the provider. If nothing changed at the provider, a plan, card
 * or suspension that an operator has set stays as it is (`decisions/0033`).
 */
export function applyCustomerState(
  before: BillingAccount,
  account: Account,
  state: CustomerState,
  { plans, now }: { plans: PlanTable; now: Instant },
): BillingOutcome {
  const [found] = subscriptionsInForce(state, plans);
  const subscription = found?.subscription ?? null;
  const failing = isFailing(subscription);
  const owesNoMore = !failing && before.payment_failed_at !== null;
  const resumes = owesNoMore && before.suspended_at !== null;
  const beginsToFail = failing && before.payment_failed_at === null;
  const plan = found?.plan ?? null;
  return {
    billing: {
      ...before,
      card: state.card,
      newest_card_at: state.newest_card_at,
      subscription,
      plan,
      plan_asked: before.plan_asked === (plan ?? 'free') ? null : before.plan_asked,
      payment_failed_at: failing ? (before.payment_failed_at ?? now) : null,
      dunning_steps: failing ? before.dunning_steps : 0,
      suspended_at: failing ? before.suspended_at : null,
    },
    terms: {
      ...planTerms(before.plan, plan, account),
      ...cardTerms(before.card !== null, state.card !== null, account),
      ...(resumes && account.suspended ? { suspended: false } : {}),
    },
    payment: owesNoMore ? endOfFailure(before, subscription) : beginsToFail ? 'failed' : null,
  };
}

/**
 * Returns how a failed payment ended. If the subscription continues, the payment has arrived. If the payment keeps failing, the provider
 * ends the subscription, and the debt is dropped.
 */
function endOfFailure(before: BillingAccount, subscription: Subscription | null): 'paid' | 'dropped' {
  return subscription !== null && subscription.id === before.subscription?.id ? 'paid' : 'dropped';
}

/**
 * Returns the plan to set on the account. If the subscription ended, the account falls back to Free, unless an operator had given it a plan
 * other than the paid one.
 */
function planTerms(before: PlanName | null, plan: PlanName | null, account: Account): BilledTerms {
  if (plan === before) return {};
  if (plan === null) return account.plan === before ? { plan: 'free' } : {};
  return account.plan === plan ? {} : { plan };
}

function cardTerms(had: boolean, has: boolean, account: Account): BilledTerms {
  return had === has || account.card_on_file === has ? {} : { card_on_file: has };
}

/** A step after a failed payment: a mail, or the suspension of the account with a mail. */
export interface DunningStep {
  afterMs: number;
  suspends: boolean;
}

/** How long a payment may fail before the account is suspended. */
export const DUNNING_MS = 7 * DAY_MS;

/** The steps after a failed payment, in order. */
export const DUNNING: readonly DunningStep[] = [
  { afterMs: 0, suspends: false },
  { afterMs: 3 * DAY_MS, suspends: false },
  { afterMs: 6 * DAY_MS, suspends: false },
  { afterMs: DUNNING_MS, suspends: true },
];

export interface DunningState {
  payment_failed_at: Instant;
  /** The number of steps taken so far. */
  dunning_steps: number;
}

/** Returns when the next dunning step is due, or null if no step is left. */
export function nextDunningAt({ payment_failed_at, dunning_steps }: DunningState): Instant | null {
  const step = DUNNING[dunning_steps];
  return step === undefined ? null : payment_failed_at + step.afterMs;
}
