import { type Account, reliesOnCard } from '../../core/accounts/account.ts';
import type { AccountId } from '../../core/ids.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { countKeys } from '../../store/accounts/api-keys.ts';
import { findBillingAccount } from '../../store/accounts/billing-accounts.ts';
import type { Context } from '../context.ts';
import { spend } from '../spend.ts';
import { providerOf } from './billing-provider.ts';

/**
 * Returns whether the provider must check the card before the account gets a live key. That is so for the first one, if nothing but the
 * card allows it.
 */
export async function needsCardCheck(
  { billing, store, settings }: Context,
  account: Account,
): Promise<boolean> {
  if (billing === null || !reliesOnCard(account, settings.plans)) return false;
  const known = await findBillingAccount(store, account.id);
  // If the account has no customer at the provider, an operator recorded the card by hand.
  if (known === null || known.customer_id === null || known.card === null) return false;
  return (await countKeys(store, account.id, ['live'])) === 0;
}

/**
 * Checks with the provider that the card can be charged, when an account that relies on its card creates its first live key
 * (`docs/plans-and-limits.md`). Call it before the transaction that creates the key, because no transaction may wait for the provider.
 * @throws ServiceError `card_declined`, `rate_limited` or `billing_unavailable`.
 */
export async function checkCardForLiveKey(context: Context, accountId: AccountId): Promise<void> {
  const account = await findAccount(context.store, accountId);
  if (account === null || !(await needsCardCheck(context, account))) return;
  const known = await findBillingAccount(context.store, accountId);
  if (!known?.customer_id) return;
  // Each check asks a bank about a card, which is what a thief with a list of cards wants.
  await spend(context, 'card_checks', accountId);
  await providerOf(context).checkCard(known.customer_id);
}
