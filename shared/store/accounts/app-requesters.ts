import type { Account } from '../../core/accounts/account.ts';
import type { Member } from '../../core/accounts/member.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { AppId } from '../../core/ids.ts';
import type { Store } from '../store.ts';

/** A signed-in person who sends a request about an app. */
export interface AppRequester {
  session: Session;
  /** The account of the app; null if there is no such app. */
  account: Pick<Account, 'id' | 'suspended'> | null;
  /** The person's membership of that account; null if the person is not a member. */
  member: Pick<Member, 'role' | 'joined_at'> | null;
}

/** Finds the session with this digest, the account of the app, and the person's membership of it, in one query. */
export async function findAppRequester(
  { db }: Store,
  hash: string,
  appId: AppId,
): Promise<AppRequester | null> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('apps', (join) => join.on('apps.id', '=', appId))
    .leftJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('members', (join) =>
      join.onRef('members.account_id', '=', 'accounts.id').onRef('members.mail', '=', 'sessions.mail'),
    )
    .select([
      'sessions.id',
      'sessions.mail',
      'sessions.user_agent',
      'sessions.created_at',
      'sessions.signed_in_at',
      'sessions.last_seen_at',
      'accounts.id as account_id',
      'accounts.suspended',
      'members.role',
      'members.joined_at',
    ])
    .where('sessions.hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { account_id, suspended, role, joined_at, ...session } = row;
  return {
    session,
    account: account_id === null ? null : { id: account_id, suspended: suspended === 1 },
    member: role === null ? null : { role, joined_at },
  };
}
