import { billingPageUrl } from '../../core/accounts/billing-mail-texts.ts';
import type { AccountId } from '../../core/ids.ts';
import {
  findBillingAccount,
  lockBillingAccount,
  saveBillingAccount,
} from '../../store/accounts/billing-accounts.ts';
import { ownerAddresses } from '../accounts/owner-mails.ts';
import { type Context, transact } from '../context.ts';
import { spend } from '../spend.ts';
import { accountOfCustomer, providerOf, scheduleSync } from './billing-provider.ts';

/** The address of a page at the billing provider. */
export interface ProviderPage {
  url: string;
}

/**
 * Opens the provider's page that saves a card. It sends the customer back to the billing page of the dashboard with `?card=saved` or
 * `?card=canceled`. Then call `syncCustomer`, because the provider's event may come later.
 * @throws ServiceError `rate_limited`, because all accounts share the provider's rate, or `billing_unavailable`.
 */
export async function startCardCheckout(context: Context, accountId: AccountId): Promise<ProviderPage> {
  await spend(context, 'billing_pages', accountId);
  const customerId = await ensureCustomer(context, accountId);
  const page = billingPageUrl(context.settings);
  const returnUrls = { done: `${page}?card=saved`, canceled: `${page}?card=canceled` };
  return { url: await providerOf(context).openCardPage(customerId, returnUrls) };
}

/** Opens the provider's page for invoices and cards. It leads back to the billing page. @throws as `startCardCheckout` does. */
export async function openPortal(context: Context, accountId: AccountId): Promise<ProviderPage> {
  await spend(context, 'billing_pages', accountId);
  const customerId = await ensureCustomer(context, accountId);
  return { url: await providerOf(context).openPortal(customerId, billingPageUrl(context.settings)) };
}

/** Returns the account's customer at the provider, and creates it if there is none. @throws ServiceError `billing_unavailable`. */
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
