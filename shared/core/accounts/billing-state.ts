import type { AccountId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import type { PlanName } from './plan.ts';

/** The card that pays, as it may be shown. */
export interface Card {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

/** A subscription at the billing provider that has not ended. */
export interface Subscription {
  id: string;
  /** Id of the one item, which a change of the price needs. */
  item_id: string;
  price_id: string;
  /** The provider's word. Statuses that mean something here are in `IN_FORCE` and `FAILING`. */
  status: string;
  period_ends_at: Instant;
  /** True if the subscription ends with its current period. */
  ends_with_period: boolean;
}

/** The current state of a customer at the billing provider. */
export interface CustomerState {
  card: Card | null;
  /** When the newest saved card was added. Null without cards. */
  newest_card_at: Instant | null;
  subscriptions: readonly Subscription[];
}

/** The stored billing of an account: the state that was last read from the provider, and the steps that followed from it. */
export interface BillingAccount {
  account_id: AccountId;
  customer_id: string | null;
  card: Card | null;
  newest_card_at: Instant | null;
  subscription: Subscription | null;
  /** The plan that the subscription pays for. Null without a subscription. The account's own plan may differ if an operator changed it. */
  plan: PlanName | null;
  /** A plan that was chosen and is not yet confirmed by the provider. */
  plan_asked: PlanName | null;
  /** Until when other choices of a plan are refused. */
  asked_until: Instant | null;
  /** When a payment was first seen to fail. Null if nothing is owed. */
  payment_failed_at: Instant | null;
  /** The number of steps of `DUNNING` that were taken for this failure. */
  dunning_steps: number;
  /** When billing suspended the account. Null if it did not, or if an operator has decided since. */
  suspended_at: Instant | null;
  /** The end of the trial that the latest trial mail was about, and how many days before it the mail was due. */
  trial_mailed_for: Instant | null;
  trial_mailed_days: number | null;
  /** Counts the writes, so that a state read before another write is not stored after it. */
  version: number;
}
