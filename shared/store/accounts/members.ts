import type { Member, Role } from '../../core/accounts/member.ts';
import type { AccountId, MemberId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** A membership and the name of its account. */
export interface Membership extends Member {
  account_name: string;
}

/** Inserts a member. @returns false if the account already has a member with this address. */
export async function insertMember(tx: Tx, member: Member): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('members')
    .values(member)
    .onConflict((conflict) => conflict.columns(['account_id', 'mail']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Lists the members of an account in the order of their creation. */
export async function listMembers(store: Store, accountId: AccountId): Promise<Member[]> {
  const rows = await store.db
    .selectFrom('members')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows;
}

/**
 * Lists the accounts of a person: first the accounts that the person has joined, then open invitations. Each part is sorted by age, oldest
 * first.
 */
export async function listMemberships(store: Store, mail: string): Promise<Membership[]> {
  const rows = await store.db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .selectAll('members')
    .select('accounts.name as account_name')
    .where('members.mail', '=', mail)
    .orderBy('members.id')
    .execute();
  return [
    ...rows.filter(({ joined_at }) => joined_at !== null),
    ...rows.filter(({ joined_at }) => joined_at === null),
  ];
}

/** Returns whether a person belongs to any account. */
export async function isMember(store: Store, mail: string): Promise<boolean> {
  const row = await store.db
    .selectFrom('members')
    .select('id')
    .where('mail', '=', mail)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findMember(store: Store, accountId: AccountId, mail: string): Promise<Member | null> {
  const row = await store.db
    .selectFrom('members')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mail', '=', mail)
    .executeTakeFirst();
  return row ?? null;
}

export async function findMemberById(store: Store, id: MemberId): Promise<Member | null> {
  const row = await store.db.selectFrom('members').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function updateRole(tx: Tx, id: MemberId, role: Role): Promise<void> {
  await tx.db.updateTable('members').set({ role }).where('id', '=', id).execute();
}

export async function deleteMember(tx: Tx, id: MemberId): Promise<void> {
  await tx.db.deleteFrom('members').where('id', '=', id).execute();
}

/** Records that a person has joined an account. @returns false if the person joined before, or is not a member. */
export async function joinAccount(
  tx: Tx,
  accountId: AccountId,
  mail: string,
  now: Instant,
): Promise<boolean> {
  const updated = await tx.db
    .updateTable('members')
    .set({ joined_at: now })
    .where('account_id', '=', accountId)
    .where('mail', '=', mail)
    .where('joined_at', 'is', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}
