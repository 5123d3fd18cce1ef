import type { Account } from '../../core/accounts/account.ts';
import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import { BUDGETS } from '../../core/budgets.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { lockAccount, updateAccount } from '../../store/accounts/accounts.ts';
import { listAppsOfAccount } from '../../store/accounts/apps.ts';
import { insertMember, listMemberships } from '../../store/accounts/members.ts';
import { lockSessions } from '../../store/accounts/sessions.ts';
import { type AppWithSecrets, addApp } from '../accounts/create-account.ts';
import type { Context } from '../context.ts';
import { transact } from '../context.ts';
import { openAccount } from '../operator/accounts.ts';
import { withAudit } from '../operator/with-audit.ts';

/**
 * Creates an account that a signed-in person owns.
 * @throws ServiceError `forbidden` if the service is open only to invited people; DashboardError `too_many` or `sign_in_required`.
 */
export async function signUp(context: Context, mail: string, name: string) {
  if (context.settings.signUp === 'invite') {
    throw new ServiceError('forbidden', {
      message: 'New accounts are created by the operator of this service.',
      fix: 'Ask the operator for an account, or an owner of an account for an invitation.',
    });
  }
  return transact(context, async (tx) => {
    await lockSessions(tx.store, mail);
    const memberships = await listMemberships(tx.store, mail);
    const joined = memberships.filter(({ joined_at }) => joined_at !== null);
    // Does not count invitations, because anyone can invite a person.
    if (joined.length >= BUDGETS.accounts.limit) {
      throw new DashboardError('too_many', {
        message: `You already belong to ${BUDGETS.accounts.limit} accounts.`,
      });
    }
    const created = await openAccount(tx, mail, { name });
    const now = tx.clock.now();
    await insertMember(tx.store, {
      id: tx.ids('mem'),
      account_id: created.account.id,
      mail,
      role: 'owner',
      created_at: now,
      joined_at: now,
    });
    return created;
  });
}

/** Changes the name of an account. @param expected the current name, as the form showed it. @throws DashboardError `changed_meanwhile`. */
export async function renameAccount(
  context: Context,
  actor: string,
  id: AccountId,
  name: string,
  expected: string | undefined,
): Promise<Account> {
  return withAudit(
    context,
    { actor, action: 'account.rename', subject: id, detail: { name } },
    async (tx) => {
      const account = await lockAccount(tx.store, id);
      if (expected !== undefined && account.name !== expected) {
        throw new DashboardError('changed_meanwhile', { status_detail: { now: { name: account.name } } });
      }
      const changed = { ...account, name };
      await updateAccount(tx.store, changed);
      return changed;
    },
  );
}

/** Adds an app to an account. @throws DashboardError `too_many`. */
export async function createOwnApp(
  context: Context,
  actor: string,
  account: Account,
  name: string,
): Promise<AppWithSecrets> {
  const action = { actor, action: 'app.create', subject: account.id, detail: { name } };
  return withAudit(context, action, async (tx) => {
    await lockAccount(tx.store, account.id);
    const apps = await listAppsOfAccount(tx.store, account.id);
    if (apps.length >= BUDGETS.apps.limit) {
      throw new DashboardError('too_many', {
        message: `An account can have ${BUDGETS.apps.limit} apps.`,
      });
    }
    return addApp(tx, account, { name, testKeyOnly: true });
  });
}
