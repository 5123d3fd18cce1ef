import { billingPageUrl } from '../../core/accounts/billing-mail-texts.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Context } from '../context.ts';
import { spend } from '../spend.ts';
import { providerOf } from './billing-provider.ts';
import { ensureCustomer } from './ensure-customer.ts';

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
