import type { Account } from '../../core/accounts/account.ts';
import type { BilledTerms } from '../../core/accounts/billing-state.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Billing } from '../../ports/accounts.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
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

/** The actor that the audit log shows for changes from the billing provider. */
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

/** Changes the terms of an account and writes an audit entry. Does nothing if the terms stay the same. */
export async function changeBilledTerms(tx: TxContext, id: AccountId, terms: BilledTerms): Promise<void> {
  if (Object.keys(terms).length === 0) return;
  const entry = { actor: BILLING_ACTOR, action: 'account.update', subject: id, detail: { ...terms } };
  await withAudit(tx, entry, (audited) => changeTerms(audited, id, terms));
}

/** Writes an audit entry about something that happened at the billing provider. */
export async function noteBilling(tx: TxContext, id: AccountId, action: string): Promise<void> {
  await withAudit(tx, { actor: BILLING_ACTOR, action, subject: id }, async () => undefined);
}

/** Schedules a read of the state of an account's customer. The job is retried until the provider responds. */
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

/** Records that an operator has decided on the suspension. A payment then does not resume the account. */
export async function leaveSuspensionToOperator(tx: TxContext, id: AccountId): Promise<void> {
  const billing = await findBillingAccount(tx.store, id);
  if (billing === null || billing.suspended_at === null) return;
  const current = await lockBillingAccount(tx.store, id);
  await saveBillingAccount(tx.store, { ...current, suspended_at: null });
}
