import type { Account } from '../../core/accounts/account.ts';
import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import { type Member, mayAct, type Permission } from '../../core/accounts/member.ts';
import { isAlive, isRecent, SESSION, type Session } from '../../core/accounts/session.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { MINUTE_MS } from '../../core/instant.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { insertAudit } from '../../store/accounts/audit-log.ts';
import { findMember } from '../../store/accounts/members.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import { findSession, touchSession } from '../../store/accounts/sessions.ts';
import { type Context, transact } from '../context.ts';
import { digest } from './sign-in.ts';

/** Returns the live session of a cookie, or null. Reads the database each time, so that an ended session is refused on every node at once. */
export async function findSignedIn(context: Context, token: string | null): Promise<Session | null> {
  if (token === null || token.length > 100) return null;
  const session = await findSession(context.store, digest(token));
  const now = context.clock.now();
  if (session === null || !isAlive(session, now)) return null;
  if (now - session.last_seen_at >= SESSION.seen_every_ms) await touchSession(context.store, session.id, now);
  return session;
}

export interface Permitted {
  account: Account;
  member: Pick<Member, 'mail' | 'role'>;
}

/** The looks of an operator at one account within this time are one entry of its audit log. */
const LOOK_MS = 10 * MINUTE_MS;

/**
 * Returns the account and the member if the person may do this. An account of others is as unknown as one that does not exist. An operator
 * may read every account.
 * @throws ServiceError `not_found`; DashboardError `role_required` or `sign_in_again`.
 */
export async function permitMember(
  context: Context,
  session: Session,
  accountId: AccountId,
  permission: Permission,
): Promise<Permitted> {
  const isOperator = context.settings.operators.includes(session.mail);
  const found = await findMember(context.store, accountId, session.mail);
  const member = found ?? (isOperator ? ({ mail: session.mail, role: 'viewer' } as const) : null);
  const account = member === null ? null : await findAccount(context.store, accountId);
  if (member === null || account === null) throw new ServiceError('not_found');
  if (found === null) await recordLook(context, session, accountId);
  if (!mayAct(member.role, permission)) {
    throw new DashboardError('role_required', {
      message: `Your role is ${member.role}. This needs the role ${permission.role}.`,
    });
  }
  if (permission.recent === true && !isRecent(session, context.clock.now())) {
    throw new DashboardError('sign_in_again');
  }
  return { account, member };
}

/** Writes to the audit log of an account that an operator looks at it. */
async function recordLook(context: Context, session: Session, accountId: AccountId): Promise<void> {
  await transact(context, async (tx) => {
    const now = tx.clock.now();
    const window = { name: `look:${session.id}:${accountId}`, limit: 1, window_ms: LOOK_MS };
    if ((await countUse(tx.store, window, now)) !== null) return;
    const entry = { id: tx.ids('aud'), at: now, actor: session.mail, action: 'operator.look' };
    await insertAudit(tx.store, { ...entry, subject: accountId, detail: null });
  });
}
