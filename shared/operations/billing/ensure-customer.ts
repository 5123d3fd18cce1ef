import type { AccountId } from '../../core/ids.ts';
import {
  findBillingAccount,
  lockBillingAccount,
  saveBillingAccount,
} from '../../store/accounts/billing-accounts.ts';
import { ownerAddresses } from '../accounts/owner-mails.ts';
import { type Context, transact } from '../context.ts';
import { accountOf, providerOf, scheduleSync } from './billing-provider.ts';

/** Returns the account's customer at the provider, and creates it if there is none. @throws ServiceError `billing_unavailable`. */
export async function ensureCustomer(context: Context, accountId: AccountId): Promise<string> {
  const found = await findBillingAccount(context.store, accountId);
  if (found !== null && found.customer_id !== null) return found.customer_id;
  const { name } = await accountOf(context, accountId);
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
