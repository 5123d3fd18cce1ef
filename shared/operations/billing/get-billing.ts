import { type Account, onTrial } from '../../core/accounts/account.ts';
import { billingPageUrl } from '../../core/accounts/billing-mail-texts.ts';
import { DUNNING_MS, type PaymentCard } from '../../core/accounts/billing-state.ts';
import { PLAN_NAMES, type PlanName } from '../../core/accounts/plan.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import {
  findBillingAccount,
  lockBillingAccount,
  newBillingAccount,
  saveBillingAccount,
} from '../../store/accounts/billing-accounts.ts';
import { ownerAddresses } from '../accounts/owner-mails.ts';
import { type Context, transact } from '../context.ts';
import { spend } from '../spend.ts';
import { accountOfCustomer, providerOf, scheduleSync } from './billing-provider.ts';

/** The plan and the payments of an account, without fields that its members must not read. */
export interface BillingSummary {
  account: Account;
  /** Whether members can choose a plan and add a card. False if the operator manages plans and cards by hand. */
  has_provider: boolean;
  on_trial: boolean;
  card: PaymentCard | null;
  /** The plan of the subscription. It may differ from the account's plan, which an operator can change. */
  paid_plan: PlanName | null;
  /** A plan that a member chose and that does not apply yet. */
  plan_asked: PlanName | null;
  /** When the paid period ends. The subscription is then renewed, or ends if `ends_with_period`. */
  period_ends_at: Instant | null;
  ends_with_period: boolean;
  payment_failed_at: Instant | null;
  /** When the account will be suspended if the payment is still owed. */
  suspends_at: Instant | null;
  /** The plans that members can choose, in ascending order. */
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

/** The address of a page at the billing provider. */
export interface ProviderPage {
  url: string;
}

/**
 * Opens the provider's page that saves a card. It sends the customer back to the billing page of the dashboard with `?card=saved` or
 * `?card=canceled`. When the customer returns, call `syncCustomer`, because the provider's event may arrive later.
 * @throws ServiceError `rate_limited`, because all accounts share the provider's rate limit, or `billing_unavailable`.
 */
export async function startCardCheckout(context: Context, accountId: AccountId): Promise<ProviderPage> {
  await spend(context, 'billing_pages', accountId);
  const customerId = await ensureCustomer(context, accountId);
  const page = billingPageUrl(context.settings);
  const returnUrls = { done: `${page}?card=saved`, canceled: `${page}?card=canceled` };
  return { url: await providerOf(context).openCardPage(customerId, returnUrls) };
}

/**
 * Opens the provider's page for invoices and cards, which links back to the billing page of the dashboard.
 * @throws ServiceError `rate_limited` or `billing_unavailable`.
 */
export async function openPortal(context: Context, accountId: AccountId): Promise<ProviderPage> {
  await spend(context, 'billing_pages', accountId);
  const customerId = await ensureCustomer(context, accountId);
  return { url: await providerOf(context).openPortal(customerId, billingPageUrl(context.settings)) };
}

/**
 * Returns the id of the account's customer at the provider. Creates the customer if there is none.
 * @throws ServiceError `billing_unavailable`.
 */
export async function ensureCustomer(context: Context, accountId: AccountId): Promise<string> {
  const found = await findBillingAccount(context.store, accountId);
  if (found !== null && found.customer_id !== null) return found.customer_id;
  const { name } = await accountOfCustomer(context, accountId);
  const [mail = null] = await ownerAddresses(context, accountId);
  const created = await providerOf(context).createCustomer({ account_id: accountId, name, mail });
  return transact(context, async (tx) => {
    const current = await lockBillingAccount(tx.store, accountId);
    // Another request created the customer first. The provider gives both requests the same customer, unless the name or the address
    // changed in between.
    if (current.customer_id !== null) return current.customer_id;
    await saveBillingAccount(tx.store, { ...current, customer_id: created });
    await scheduleSync(tx, accountId);
    return created;
  });
}
