import type { AccountId, AccountMailId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** A mail to an owner of an account. It is deleted once it is sent. */
export interface AccountMail {
  id: AccountMailId;
  account_id: AccountId;
  address: string;
  subject: string;
  body: string;
  created_at: Instant;
}

export async function insertAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  await tx.db.insertInto('account_mails').values(mail).execute();
}

export async function findAccountMail(store: Store, id: AccountMailId): Promise<AccountMail | null> {
  const row = await store.db.selectFrom('account_mails').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? (row as AccountMail) : null;
}

export async function deleteAccountMail(tx: Tx, id: AccountMailId): Promise<void> {
  await tx.db.deleteFrom('account_mails').where('id', '=', id).execute();
}
