import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import { type Member, mayAct, type Permission, type Role } from '../../core/accounts/member.ts';
import { isAlive, isRecent, SESSION, type Session } from '../../core/accounts/session.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId, AppId } from '../../core/ids.ts';
import { type AppRequester, findAppRequester } from '../../store/accounts/app-requesters.ts';
import { insertAudit } from '../../store/accounts/audit-log.ts';
import { joinAccount } from '../../store/accounts/members.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import { findSession, touchSession } from '../../store/accounts/sessions.ts';
import { autocommit } from '../../store/store.ts';
import { type Context, transact } from '../context.ts';
import { digest } from './sign-in.ts';

/**
 * Returns the session of a cookie, or null if the session has ended. Reads the database each time, so that every node refuses an ended
 * session at once.
 */
export async function findSignedIn(context: Context, token: string | null): Promise<Session | null> {
  const session = token === null ? null : await findSession(context.store, digest(token));
  return session !== null && (await isInUse(context, session)) ? session : null;
}

/** Returns the session of a cookie and the person's membership of an app's account, in one query. Returns null if the session has ended. */
export async function findSignedInToApp(
  context: Context,
  token: string | null,
  appId: AppId,
): Promise<AppRequester | null> {
  const requester = token === null ? null : await findAppRequester(context.store, digest(token), appId);
  return requester !== null && (await isInUse(context, requester.session)) ? requester : null;
}

/** Returns whether a session has not expired, and if so, records its use. */
async function isInUse(context: Context, session: Session): Promise<boolean> {
  const now = context.clock.now();
  if (!isAlive(session, now)) return false;
  if (now - session.last_seen_at >= SESSION.seen_every_ms)
    await touchSession(autocommit(context.store), session.id, now);
  return true;
}

/**
 * Checks that a person has a permission in an account. If the person is not a member, the error is the same as if the account did not
 * exist. An operator may read every account. An invited person joins the account with their first request.
 * @param member the person's membership of the account; null if there is none.
 * @returns the person's role in the account.
 * @throws ServiceError `not_found`; DashboardError `role_required` or `sign_in_again`.
 */
export async function permitRole(
  context: Context,
  session: Session,
  accountId: AccountId,
  member: Pick<Member, 'role' | 'joined_at'> | null,
  permission: Permission,
): Promise<Role> {
  const isOperator = context.settings.operators.includes(session.mail);
  const applied = member?.role ?? (isOperator ? 'viewer' : null);
  if (applied === null) throw new ServiceError('not_found');
  if (member === null) await recordLook(context, session, accountId);
  else if (member.joined_at === null) await join(context, session, accountId);
  if (!mayAct(applied, permission)) {
    throw new DashboardError('role_required', {
      message: `Your role is ${applied}. This needs the role ${permission.role}.`,
    });
  }
  if (permission.recent === true) requireRecent(context, session);
  return applied;
}

/** Records, at an invited person's first request, that the person has joined. Until then, the account learns nothing about the person. */
async function join(context: Context, { mail }: Session, accountId: AccountId): Promise<void> {
  await transact(context, async (tx) => {
    const now = tx.clock.now();
    // If two first requests come at the same time, only one of them records the join.
    if (!(await joinAccount(tx.store, accountId, mail, now))) return;
    const entry = { id: tx.ids('aud'), at: now, actor: mail, action: 'member.join' };
    await insertAudit(tx.store, { ...entry, subject: accountId, detail: null });
  });
}

/** Writes an audit entry that an operator looked at an account. */
async function recordLook(context: Context, session: Session, accountId: AccountId): Promise<void> {
  await transact(context, async (tx) => {
    const now = tx.clock.now();
    const look = `${session.id}:${accountId}`;
    if ((await countUse(tx.store, 'operator_looks', look, now)) !== null) return;
    const entry = { id: tx.ids('aud'), at: now, actor: session.mail, action: 'operator.look' };
    await insertAudit(tx.store, { ...entry, subject: accountId, detail: null });
  });
}

/** @throws DashboardError `sign_in_again` if the sign-in is more than ten minutes old. */
export function requireRecent({ clock }: Context, session: Session): void {
  if (!isRecent(session, clock.now())) throw new DashboardError('sign_in_again');
}
