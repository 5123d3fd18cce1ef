import type { Account } from '../../core/accounts/account.ts';
import type { AccountId } from '../../core/ids.ts';
import { lockAccount, updateAccount } from '../../store/accounts/accounts.ts';
import { listAppsOfAccount } from '../../store/accounts/apps.ts';
import { jobsDeletion, scheduleJob } from '../../store/jobs/jobs.ts';
import { runTogether } from '../../store/run-together.ts';
import type { TxContext } from '../context.ts';

/** The fields of an account that the billing provider and the operator can change. */
export type AccountChange = Partial<
  Pick<Account, 'plan' | 'trial_ends_at' | 'promotional' | 'card_on_file' | 'suspended' | 'created_at'>
>;

/** The fields that determine whether the account's apps may have a white-label host and a certificate for it. */
const FEATURES = ['plan', 'trial_ends_at', 'card_on_file', 'promotional'] as const;

/**
 * Changes the terms of an account. Notifies every node, because the rights of the account's keys and the routes of its domains may change.
 */
export async function changeTerms(tx: TxContext, id: AccountId, change: AccountChange): Promise<Account> {
  const changed = { ...(await lockAccount(tx.store, id)), ...change };
  await updateAccount(tx.store, changed);
  if (change.trial_ends_at !== undefined || change.plan !== undefined) await scheduleTrialMails(tx, changed);
  const features = FEATURES.some((field) => change[field] !== undefined);
  for (const app of await listAppsOfAccount(tx.store, id)) {
    if (features && app.whitelabel_host !== null) {
      const dueAt = tx.clock.now();
      await scheduleJob(tx.store, {
        kind: 'check_whitelabel',
        subject_id: app.id,
        app_id: app.id,
        due_at: dueAt,
      });
      tx.notices.publish({ kind: 'work' });
    }
    tx.notices.publish({ kind: 'credentials', app_id: app.id });
    tx.notices.publish({ kind: 'routes', app_id: app.id });
  }
  return changed;
}

/**
 * Schedules the mails about the end of the account's trial. Schedules no mail without a billing provider, because the owners could then not
 * choose a plan.
 */
export async function scheduleTrialMails(tx: TxContext, account: Account): Promise<void> {
  if (tx.billing === null) return;
  if (account.trial_ends_at === null || account.plan !== 'free') {
    await runTogether(tx.store, jobsDeletion(tx.store, account.id, ['trial_mail']));
    return;
  }
  const job = { kind: 'trial_mail', subject_id: account.id, app_id: null } as const;
  await scheduleJob(tx.store, { ...job, due_at: tx.clock.now() });
}
