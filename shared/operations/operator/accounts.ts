import type { Account } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { findAccount, selectAccounts } from '../../store/accounts/accounts.ts';
import { listAppsOfAccount } from '../../store/accounts/apps.ts';
import {
  type AppWithSecrets,
  addApp,
  type CreatedAccount,
  createAccount,
  type NewAccount,
} from '../accounts/create-account.ts';
import { leaveSuspensionToOperator } from '../billing/billing-provider.ts';
import type { Context } from '../context.ts';
import { type AccountChange, changeTerms } from '../domains/change-terms.ts';
import { withAudit } from './with-audit.ts';

export interface AccountWithApps {
  account: Account;
  apps: App[];
}

/** Creates an account, its app, its first keys and its signing secret. Only this result contains the keys and the secret. */
export async function openAccount(
  context: Context,
  actor: string,
  input: NewAccount,
): Promise<CreatedAccount> {
  const id = context.ids('acc');
  const detail = { name: input.name, ...input.terms };
  return withAudit(context, { actor, action: 'account.create', subject: id, detail }, (tx) =>
    createAccount(tx, { ...input, id }),
  );
}

export async function listAccounts(context: Context, limit: number, after?: string): Promise<Account[]> {
  return selectAccounts(context.store, limit, after);
}

/** Returns an account with its apps. @throws ServiceError `not_found`. */
export async function getAccount(context: Context, id: string): Promise<AccountWithApps> {
  const account = await findAccount(context.store, id as AccountId);
  if (account === null) {
    throw new ServiceError('not_found', {
      message: `There is no account ${id}.`,
      fix: 'List the accounts to see their ids.',
    });
  }
  return { account, apps: await listAppsOfAccount(context.store, account.id) };
}

/**
 * Changes an account's plan, trial, promotional flag, card flag or suspension. Every node applies the change within two seconds.
 * @throws ServiceError `not_found`.
 */
export async function changeAccount(
  context: Context,
  actor: string,
  id: string,
  change: AccountChange,
): Promise<Account> {
  return withAudit(context, { actor, action: 'account.update', subject: id, detail: change }, async (tx) => {
    const { account } = await getAccount(tx, id);
    const changed = await changeTerms(tx, account.id, change);
    if (change.suspended !== undefined) await leaveSuspensionToOperator(tx, account.id);
    return changed;
  });
}

/**
 * Adds an app to an account, with its first keys and its signing secret. Only this result contains the keys and the secret. The apps of an
 * account share its plan and its limit of domains.
 * @throws ServiceError `not_found`.
 */
export async function openApp(
  context: Context,
  actor: string,
  accountId: string,
  name: string,
): Promise<AppWithSecrets> {
  return withAudit(
    context,
    { actor, action: 'app.create', subject: accountId, detail: { name } },
    async (tx) => {
      const { account } = await getAccount(tx, accountId);
      return addApp(tx, account, { name });
    },
  );
}
