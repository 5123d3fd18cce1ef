import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import type { Member, Role } from '../../core/accounts/member.ts';
import { BUDGETS } from '../../core/budgets.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { HOUR_MS } from '../../core/instant.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { deleteMember, insertMember, listMembers, updateRole } from '../../store/accounts/members.ts';
import { countSharedUse } from '../../store/accounts/rate-windows.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import type { Context, TxContext } from '../context.ts';
import { withAudit } from '../operator/with-audit.ts';
import { refuseWhile, spend } from '../spend.ts';
import { digest, readMail } from './sign-in.ts';

/**
 * Adds a person to an account and queues the invitation mail. If an invited person has not joined yet, another invitation sends the mail
 * again.
 * @throws ServiceError `validation_failed`, `rate_limited`; DashboardError `already_member`, `too_many`.
 */
export async function inviteMember(
  context: Context,
  actor: string,
  accountId: AccountId,
  invited: { mail: string; role: Role },
): Promise<Member> {
  const mail = readMail(invited.mail);
  const { role } = invited;
  const detail = { mail, role };
  return withAudit(context, { actor, action: 'member.invite', subject: accountId, detail }, async (tx) => {
    // Locks the account's row, so that other changes of its members wait and the checks below remain valid.
    await lockAccount(tx.store, accountId);
    const members = await listMembers(tx.store, accountId);
    const known = members.find((each) => each.mail === mail);
    if (known !== undefined && (known.joined_at !== null || known.role !== role)) {
      throw new DashboardError('already_member');
    }
    if (known === undefined && members.length >= BUDGETS.members.limit) {
      throw new DashboardError('too_many', {
        message: `An account can have ${BUDGETS.members.limit} members.`,
      });
    }
    await countInvitation(tx, accountId, mail);
    const now = tx.clock.now();
    const member = known ?? {
      id: tx.ids('mem'),
      account_id: accountId,
      mail,
      role,
      created_at: now,
      joined_at: null,
    };
    if (known === undefined) await insertMember(tx.store, member);
    await scheduleJob(tx.store, { kind: 'send_invite', subject_id: member.id, app_id: null, due_at: now });
    tx.notices.publish({ kind: 'work' });
    return member;
  });
}

/**
 * Counts an invitation towards two limits: one of the account, and one of the address across all accounts. Without these limits, someone
 * could flood a mailbox. If the invitation is refused, neither count changes.
 * @throws ServiceError `rate_limited`.
 */
async function countInvitation(tx: TxContext, accountId: AccountId, mail: string): Promise<void> {
  await spend(tx, 'invitations', accountId);
  const mailbox = { subject: digest(mail), party: accountId };
  const { waitMs, isOpen } = await countSharedUse(tx.store, 'invitations_to', mailbox, tx.clock.now());
  refuseWhile('invitations_to', isOpen ? null : (waitMs ?? HOUR_MS));
}

/** Changes the role of a member. @throws ServiceError `not_found`; DashboardError `last_owner`. */
export async function changeRole(
  context: Context,
  actor: string,
  accountId: AccountId,
  memberId: string,
  role: Role,
): Promise<Member> {
  const action = { actor, action: 'member.update', subject: accountId, detail: { member: memberId, role } };
  return withAudit(context, action, async (tx) => {
    const member = await lockMember(tx, accountId, memberId);
    if (role !== 'owner') await keepAnOwner(tx, member);
    await updateRole(tx.store, member.id, role);
    return { ...member, role };
  });
}

/**
 * Removes a member. From then on, every node refuses the person's changes, and within 5 seconds also the person's reads.
 * @throws ServiceError `not_found`; DashboardError `last_owner`.
 */
export async function removeMember(
  context: Context,
  actor: string,
  accountId: AccountId,
  memberId: string,
): Promise<void> {
  const action = { actor, action: 'member.remove', subject: accountId, detail: { member: memberId } };
  await withAudit(context, action, async (tx) => {
    const member = await lockMember(tx, accountId, memberId);
    await keepAnOwner(tx, member);
    await deleteMember(tx.store, member.id);
  });
}

async function lockMember(tx: TxContext, accountId: AccountId, memberId: string): Promise<Member> {
  await lockAccount(tx.store, accountId);
  const member = (await listMembers(tx.store, accountId)).find(({ id }) => id === memberId);
  if (member === undefined) throw new ServiceError('not_found');
  return member;
}

/**
 * Throws if the account would lose its last owner. If the leaving owner has joined, another owner who has joined must remain, because an
 * invitation may never be accepted.
 */
async function keepAnOwner(tx: TxContext, leaving: Member): Promise<void> {
  if (leaving.role !== 'owner') return;
  const members = await listMembers(tx.store, leaving.account_id);
  const canReplace = ({ joined_at }: Member) => leaving.joined_at === null || joined_at !== null;
  const others = members.filter(
    (each) => each.role === 'owner' && each.id !== leaving.id && canReplace(each),
  );
  if (others.length === 0) throw new DashboardError('last_owner');
}
