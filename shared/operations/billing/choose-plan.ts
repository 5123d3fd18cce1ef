import { type BillingAccount, isFailing } from '../../core/accounts/billing-state.ts';
import { PLAN_NAMES, type PlanName } from '../../core/accounts/plan.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { MINUTE_MS } from '../../core/instant.ts';
import { lockBillingAccount, saveBillingAccount } from '../../store/accounts/billing-accounts.ts';
import { type Context, transact } from '../context.ts';
import { withAudit } from '../operator/with-audit.ts';
import { accountOf, providerOf, scheduleSync } from './billing-provider.ts';
import { type BillingSummary, getBilling } from './get-billing.ts';
import { syncCustomer } from './sync-customer.ts';

/** How long a choice keeps others waiting if its process dies. Longer than the calls to the provider take. */
const CHOICE_MS = MINUTE_MS;

/**
 * Chooses a plan: starts, changes or ends the subscription. A higher plan is charged and applies at once. A lower one applies at once, and
 * the difference is credited. Free applies when the paid period ends, or at once if a payment has failed. If the payment fails, nothing
 * changes.
 * @param actor who chose, for the audit log.
 * @throws ServiceError `card_required`, `card_declined`, `billing_unavailable`, `account_suspended`, `validation_failed` for a plan that is
 * not sold, or `rate_limited` while another choice is being made.
 */
export async function choosePlan(
  context: Context,
  actor: string,
  accountId: AccountId,
  plan: PlanName,
): Promise<BillingSummary> {
  providerOf(context);
  const account = await accountOf(context, accountId);
  if (account.suspended && plan !== 'free') throw new ServiceError('account_suspended');
  const priceId = priceOf(context, plan);
  await claim(context, actor, accountId, plan);
  try {
    const billing = await syncCustomer(context, accountId);
    await changeSubscription(context, billing, plan, priceId);
  } catch (error) {
    // The provider may have made the change although its response is lost.
    if (isUnavailable(error)) await scheduleSync(context, accountId);
    const code = error instanceof ServiceError ? error.code : null;
    const entry = { actor, action: 'billing.plan_refused', subject: accountId, detail: { plan, code } };
    await withAudit(context, entry, (tx) => release(tx, accountId, { failed: true }));
    throw error;
  }
  await release(context, accountId, { failed: false });
  await syncCustomer(context, accountId).catch(async (error: unknown) => {
    if (!isUnavailable(error)) throw error;
    await scheduleSync(context, accountId);
  });
  return getBilling(context, accountId);
}

async function changeSubscription(
  context: Context,
  billing: BillingAccount | null,
  plan: PlanName,
  priceId: string | null,
): Promise<void> {
  const provider = providerOf(context);
  const subscription = billing?.subscription ?? null;
  if (priceId === null) {
    if (subscription === null) return;
    await provider.endSubscription(subscription, isFailing(subscription) ? 'now' : 'period_end');
  } else if (billing === null || billing.customer_id === null || billing.card === null) {
    throw new ServiceError('card_required', {
      message: 'A paid plan needs a card on file.',
      fix: 'Add a card, then choose the plan again.',
    });
  } else if (subscription === null) {
    await provider.subscribe(billing.customer_id, priceId);
  } else if (billing.plan !== plan || subscription.ends_with_period) {
    const isHigher = PLAN_NAMES.indexOf(plan) > PLAN_NAMES.indexOf(billing.plan ?? 'free');
    await provider.changePrice(subscription, priceId, { chargeNow: isHigher });
  }
}

/** Returns the price of a plan, or null for Free. @throws ServiceError `validation_failed` if the plan is not sold. */
function priceOf({ settings }: Context, plan: PlanName): string | null {
  if (plan === 'free') return null;
  const [priceId] = settings.plans[plan].prices ?? [];
  if (priceId !== undefined) return priceId;
  const sold = PLAN_NAMES.filter((name) => settings.plans[name].prices?.length);
  throw validationFailed({ path: 'plan', message: `must be one of ${['free', ...sold].join(', ')}` });
}

/** Records the choice, unless another one is being made: two of them could start two subscriptions. */
async function claim(context: Context, actor: string, accountId: AccountId, plan: PlanName): Promise<void> {
  const entry = { actor, action: 'billing.choose_plan', subject: accountId, detail: { plan } };
  await withAudit(context, entry, async (tx) => {
    const now = tx.clock.now();
    const current = await lockBillingAccount(tx.store, accountId);
    if (current.asked_until !== null && current.asked_until > now) {
      throw new ServiceError('rate_limited', {
        message: 'Another change of this plan is being made.',
        retry_after_s: Math.ceil((current.asked_until - now) / 1000),
      });
    }
    await saveBillingAccount(tx.store, { ...current, plan_asked: plan, asked_until: now + CHOICE_MS });
  });
}

async function release(
  context: Context,
  accountId: AccountId,
  { failed }: { failed: boolean },
): Promise<void> {
  await transact(context, async (tx) => {
    const current = await lockBillingAccount(tx.store, accountId);
    const planAsked = failed ? null : current.plan_asked;
    await saveBillingAccount(tx.store, { ...current, plan_asked: planAsked, asked_until: null });
  });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'billing_unavailable';
}
