import type { BillingAccount } from '../../core/accounts/billing-state.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

/** Returns the initial billing of an account that has no customer at the provider yet. */
export function newBillingAccount(accountId: AccountId): BillingAccount {
  return {
    account_id: accountId,
    customer_id: null,
    card: null,
    newest_card_at: null,
    subscription: null,
    plan: null,
    plan_asked: null,
    asked_until: null,
    choice_id: null,
    choice_began_at: null,
    payment_failed_at: null,
    dunning_steps: 0,
    suspended_at: null,
    trial_mailed_for: null,
    trial_mailed_days: null,
    version: 0,
  };
}

export async function findBillingAccount(store: Store, id: AccountId): Promise<BillingAccount | null> {
  const row = await store.db
    .selectFrom('billing_accounts')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function findBillingAccountOfCustomer(
  store: Store,
  customerId: string,
): Promise<BillingAccount | null> {
  const row = await store.db
    .selectFrom('billing_accounts')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Returns the billing of an account with its row locked. Inserts the row if there is none. */
export async function lockBillingAccount(tx: Tx, id: AccountId): Promise<BillingAccount> {
  await tx.db
    .insertInto('billing_accounts')
    .values(toRow(newBillingAccount(id)))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const query = tx.db.selectFrom('billing_accounts').selectAll().where('account_id', '=', id);
  return fromRow(await (tx.flags.rowLocks ? query.forUpdate() : query).executeTakeFirstOrThrow());
}

/** Saves the billing of an account and increments its version. The caller must have locked the row. */
export async function saveBillingAccount(tx: Tx, billing: BillingAccount): Promise<void> {
  await tx.db
    .updateTable('billing_accounts')
    .set({ ...toRow(billing), version: billing.version + 1 })
    .where('account_id', '=', billing.account_id)
    .execute();
}

/** Lists accounts with a customer at the provider, by id. @param after only accounts after this id. */
export async function listBilledAccounts(store: Store, limit: number, after = ''): Promise<AccountId[]> {
  const rows = await store.db
    .selectFrom('billing_accounts')
    .select('account_id')
    .where('customer_id', 'is not', null)
    .where('account_id', '>', after as AccountId)
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

const { toRow, fromRow } = rowMapper<BillingAccount>({ card: 'json', subscription: 'json' });

export interface TakenEvent {
  id: string;
  type: string;
  account_id: AccountId;
  received_at: Instant;
}

/** Records an event of the billing provider. @returns false if the event was recorded before. */
export async function recordBillingEvent(tx: Tx, event: TakenEvent): Promise<boolean> {
  const result = await tx.db
    .insertInto('billing_events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
