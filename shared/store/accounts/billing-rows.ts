import type { PlanName } from '../../core/accounts/plan.ts';

/** The billing of an account: its customer at the billing provider, and the state last read from there. */
export interface BillingAccountRow {
  account_id: string;
  customer_id: string | null;
  /** The card that the provider charges, as JSON. */
  card: string | null;
  newest_card_at: number | null;
  /** The subscription at the provider, as JSON. */
  subscription: string | null;
  plan: PlanName | null;
  plan_asked: PlanName | null;
  asked_until: number | null;
  choice_id: string | null;
  choice_began_at: number | null;
  payment_failed_at: number | null;
  dunning_steps: number;
  suspended_at: number | null;
  trial_mailed_for: number | null;
  trial_mailed_days: number | null;
  version: number;
}

/** A processed event from the billing provider, stored so that a repeated event is recognised. */
export interface BillingEventRow {
  id: string;
  type: string;
  account_id: string;
  received_at: number;
}

/** A mail to an owner of an account that has not been sent yet. */
export interface AccountMailRow {
  id: string;
  account_id: string;
  address: string;
  subject: string;
  body: string;
  created_at: number;
}

/** The scheduled end of an app's white-label host, because the account's plan does not include white-label. */
export interface WhitelabelEndingRow {
  app_id: string;
  ends_at: number;
  /** Number of mails about the end that were sent so far. */
  mails: number;
}
