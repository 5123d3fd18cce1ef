import { type Account, reliesOnCard } from '../../core/accounts/account.ts';
import type { BilledTerms } from '../../core/accounts/billing-state.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Billing } from '../../ports/accounts.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { countKeys } from '../../store/accounts/api-keys.ts';
import {
  findBillingAccount,
  lockBillingAccount,
  saveBillingAccount,
} from '../../store/accounts/billing-accounts.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import type { Context, TxContext } from '../context.ts';
import { changeTerms } from '../domains/change-terms.ts';
import { withAudit } from '../operator/with-audit.ts';
import { spend } from '../spend.ts';

/** The actor in audit entries about changes that the billing provider caused. */
const BILLING_ACTOR = 'billing';

/** Returns the billing provider. @throws ServiceError `not_found` if the operator manages plans and cards by hand. */
export function providerOf({ billing }: Context): Billing {
  if (billing !== null) return billing;
  throw new ServiceError('not_found', {
    message: 'This service has no billing provider.',
    fix: 'Contact support to change the plan or the card.',
  });
}

/** @throws ServiceError `not_found`. */
export async function accountOfCustomer({ store }: Context, id: AccountId): Promise<Account> {
  const account = await findAccount(store, id);
  if (account === null) throw new ServiceError('not_found', { message: `There is no account ${id}.` });
  return account;
}

/** Changes the plan, card or suspension of an account and writes an audit entry. Does nothing if `terms` is empty. */
export async function changeBilledTerms(tx: TxContext, id: AccountId, terms: BilledTerms): Promise<void> {
  if (Object.keys(terms).length === 0) return;
  const entry = { actor: BILLING_ACTOR, action: 'account.update', subject: id, detail: { ...terms } };
  await withAudit(tx, entry, (audited) => changeTerms(audited, id, terms));
}

/** Writes an audit entry about something that happened at the billing provider. */
export async function noteBilling(tx: TxContext, id: AccountId, action: string): Promise<void> {
  await withAudit(tx, { actor: BILLING_ACTOR, action, subject: id }, async () => undefined);
}

/** Schedules a job that reads the state of an account's customer from the provider. The job is retried until the provider responds. */
export async function scheduleSync(context: Context, id: AccountId): Promise<void> {
  const dueAt = context.clock.now();
  await scheduleJob(autocommit(context.store), {
    kind: 'sync_billing',
    subject_id: id,
    app_id: null,
    due_at: dueAt,
  });
  context.notices.publish({ kind: 'work' });
}

/**
 * Deletes the record that a failed payment suspended the account. A payment then no longer ends the suspension: only an operator can.
 */
export async function leaveSuspensionToOperator(tx: TxContext, id: AccountId): Promise<void> {
  const billing = await findBillingAccount(tx.store, id);
  if (billing === null || billing.suspended_at === null) return;
  const current = await lockBillingAccount(tx.store, id);
  await saveBillingAccount(tx.store, { ...current, suspended_at: null });
}

/**
 * Returns whether the provider must check the card before the account gets another live key. True if the account has no live key yet, and
 * may have live keys only because of its card.
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
 * Asks the provider whether the card can be charged, if `needsCardCheck` returns true for the account (`docs/plans-and-limits.md`). Call
 * this before the transaction that creates a live key, because no transaction may wait for the provider.
 * @throws ServiceError `card_declined`, `rate_limited` or `billing_unavailable`.
 */
export async function checkCardForLiveKey(context: Context, accountId: AccountId): Promise<void> {
  const account = await findAccount(context.store, accountId);
  if (account === null || !(await needsCardCheck(context, account))) return;
  const known = await findBillingAccount(context.store, accountId);
  if (!known?.customer_id) return;
  // The limit prevents card testing, in which a thief tries out stolen card numbers. Each check tells the caller whether a card works.
  await spend(context, 'card_checks', accountId);
  await providerOf(context).checkCard(known.customer_id);
}
