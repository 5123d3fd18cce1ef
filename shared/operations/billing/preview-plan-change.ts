import { effectivePlan } from '../../core/accounts/account.ts';
import { isFailing } from '../../core/accounts/billing-state.ts';
import type { PlanName } from '../../core/accounts/plan.ts';
import { type PlanChangePreview, previewChange } from '../../core/accounts/plan-change.ts';
import type { AccountId } from '../../core/ids.ts';
import { countKeys } from '../../store/accounts/api-keys.ts';
import { listAppsOfAccount } from '../../store/accounts/apps.ts';
import { findBillingAccount } from '../../store/accounts/billing-accounts.ts';
import { readDomainCounts } from '../../store/domains/domain-counts.ts';
import { countDomainsRoutedThrough, countDomainsWithOrigin } from '../../store/domains/feature-use.ts';
import type { Context } from '../context.ts';
import { accountOfCustomer } from './billing-provider.ts';

/** Returns what choosing a plan would change. Changes nothing. @throws ServiceError `not_found`. */
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
