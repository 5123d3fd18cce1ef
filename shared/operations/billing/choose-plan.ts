import { randomUUID } from 'node:crypto';
import { effectivePlan } from '../../core/accounts/account.ts';
import { type BillingAccount, isFailing } from '../../core/accounts/billing-state.ts';
import { PLAN_NAMES, type PlanName } from '../../core/accounts/plan.ts';
import { type PlanChangePreview, previewChange } from '../../core/accounts/plan-change.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { type Instant, MINUTE_MS } from '../../core/instant.ts';
import { countKeys } from '../../store/accounts/api-keys.ts';
import { listAppsOfAccount } from '../../store/accounts/apps.ts';
import {
  findBillingAccount,
  lockBillingAccount,
  saveBillingAccount,
} from '../../store/accounts/billing-accounts.ts';
import { readDomainCounts } from '../../store/domains/domain-counts.ts';
import { countDomainsRoutedThrough, countDomainsWithOrigin } from '../../store/domains/feature-use.ts';
import { type Context, transact } from '../context.ts';
import { withAudit } from '../operator/with-audit.ts';
import { spend } from '../spend.ts';
import { accountOfCustomer, providerOf, scheduleSync } from './billing-provider.ts';
import { type BillingSummary, getBilling } from './get-billing.ts';
import { syncCustomer } from './sync-customer.ts';

/** How long a choice of a plan blocks other choices of the account if the process dies. Longer than the calls to the provider take. */
const CHOICE_MS = MINUTE_MS;

/**
 * How long a repeated choice uses the idempotency key of a choice whose outcome is unknown. After that, the state at the provider shows the
 * outcome. Stripe repeats an error for the same key for a day, so this must be shorter than a day.
 */
const REPEAT_MS = 10 * MINUTE_MS;

/**
 * Chooses a plan: starts, changes or ends the subscription. A higher plan is charged and applies at once. A lower plan applies at once, and
 * the difference is credited. Free applies when the paid period ends, or at once if a payment has failed. If the charge fails, nothing
 * changes. If the outcome is unknown, other choices are refused for a minute, and repeating the choice starts no second subscription.
 * @param actor who chose, for the audit log.
 * @throws ServiceError `card_required`, `card_declined`, `billing_unavailable`, `account_suspended`, `validation_failed` for a plan that is
 * not sold, or `rate_limited` after too many choices, or while another choice of the account is in progress.
 */
export async function choosePlan(
  context: Context,
  actor: string,
  accountId: AccountId,
  plan: PlanName,
): Promise<BillingSummary> {
  providerOf(context);
  const account = await accountOfCustomer(context, accountId);
  if (account.suspended && plan !== 'free') throw new ServiceError('account_suspended');
  const priceId = priceOf(context, plan);
  await spend(context, 'plan_choices', accountId);
  const choiceId = await claim(context, actor, accountId, plan);
  let isAsked = false;
  try {
    const billing = await syncCustomer(context, accountId);
    isAsked = true;
    await changeSubscription(context, billing, plan, priceId, choiceId);
  } catch (error) {
    const isUnknown = isUnavailable(error);
    const code = error instanceof ServiceError ? error.code : null;
    const entry = { actor, action: 'billing.plan_refused', subject: accountId, detail: { plan, code } };
    // Without a response, the provider may have made the change, or may still make it.
    const outcome = !isUnknown ? 'failed' : isAsked ? 'unknown' : 'not_asked';
    await withAudit(context, entry, (tx) => release(tx, accountId, outcome));
    if (isUnknown) await scheduleSync(context, accountId);
    throw error;
  }
  await release(context, accountId, 'done');
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
  choiceId: string,
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
    await provider.subscribe(billing.customer_id, priceId, choiceId);
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

/**
 * Records that the account's plan is being changed. Refuses a second change meanwhile, because two changes could start two subscriptions.
 * @returns the id of the choice, which is an idempotency key. If the outcome of an earlier choice is unknown, returns the id of the earlier
 * choice.
 */
async function claim(context: Context, actor: string, accountId: AccountId, plan: PlanName): Promise<string> {
  const entry = { actor, action: 'billing.choose_plan', subject: accountId, detail: { plan } };
  return withAudit(context, entry, async (tx) => {
    const now = tx.clock.now();
    const current = await lockBillingAccount(tx.store, accountId);
    if (current.asked_until !== null && current.asked_until > now) {
      throw new ServiceError('rate_limited', {
        message: 'Another change of this plan is being made.',
        retry_after_s: Math.ceil((current.asked_until - now) / 1000),
      });
    }
    const choice = openChoice(current, now) ?? { choice_id: randomUUID(), choice_began_at: now };
    const asked = { plan_asked: plan, asked_until: now + CHOICE_MS };
    await saveBillingAccount(tx.store, { ...current, ...asked, ...choice });
    return choice.choice_id;
  });
}

/** Returns the earlier choice whose outcome is unknown. Returns null if there is none, or if it is too old. */
function openChoice(
  { choice_id, choice_began_at }: BillingAccount,
  now: Instant,
): { choice_id: string; choice_began_at: Instant } | null {
  if (choice_id === null || choice_began_at === null || choice_began_at + REPEAT_MS <= now) return null;
  return { choice_id, choice_began_at };
}

/** The outcome of a choice. `not_asked`: we sent the provider no change. `unknown`: we sent a change, but got no response. */
type ChoiceOutcome = 'done' | 'failed' | 'not_asked' | 'unknown';

/**
 * Lets the account make other choices. After an unknown outcome, other choices stay blocked until `asked_until`, because the provider may
 * still be processing the change.
 */
async function release(context: Context, accountId: AccountId, outcome: ChoiceOutcome): Promise<void> {
  await transact(context, async (tx) => {
    const current = await lockBillingAccount(tx.store, accountId);
    const isKnown = outcome === 'done' || outcome === 'failed';
    await saveBillingAccount(tx.store, {
      ...current,
      plan_asked: outcome === 'done' ? current.plan_asked : null,
      asked_until: outcome === 'unknown' ? current.asked_until : null,
      ...(isKnown ? { choice_id: null, choice_began_at: null } : {}),
    });
  });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'billing_unavailable';
}

/** Returns what the account would gain or lose with a plan, without changing anything. @throws ServiceError `not_found`. */
export async function previewPlanChange(
  context: Context,
  accountId: AccountId,
  plan: PlanName,
): Promise<PlanChangePreview> {
  const { store, settings, clock } = context;
  const account = await accountOfCustomer(context, accountId);
  const apps = await listAppsOfAccount(store, accountId);
  const hosts = apps.flatMap(({ id, whitelabel_host: host }) => (host === null ? [] : [{ id, host }]));
  const through = await Promise.all(hosts.map(({ id, host }) => countDomainsRoutedThrough(store, id, host)));
  const withOrigin = await Promise.all(apps.map(({ id }) => countDomainsWithOrigin(store, id)));
  const { used } = await readDomainCounts(store, accountId);
  const subscription = (await findBillingAccount(store, accountId))?.subscription ?? null;
  const waits = plan === 'free' && subscription !== null && !isFailing(subscription);
  return previewChange(settings.plans, {
    from: account.plan,
    to: plan,
    before: effectivePlan(account, settings.plans, clock.now()),
    takes_effect_at: waits ? subscription.period_ends_at : null,
    usage: {
      domains: used,
      whitelabelHosts: hosts.map(({ host }) => host),
      domainsThroughHosts: sum(through),
      domainsWithOrigin: sum(withOrigin),
      liveKeys: await countKeys(store, accountId, ['live']),
    },
    liveKeysAnyway: account.card_on_file || account.promotional,
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
