import type { Account } from '../../core/accounts/account.ts';
import type { AccountId, AccountMailId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { isOneOf } from '../row-list.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

export async function insertAccount(tx: Tx, account: Account): Promise<void> {
  await tx.db.insertInto('accounts').values(toRow(account)).execute();
}

export async function findAccount(store: Store, id: AccountId): Promise<Account | null> {
  const row = await store.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? accountOf(row) : null;
}

/** Returns the accounts with these ids, by id. */
export async function getAccounts(store: Store, ids: readonly AccountId[]): Promise<Map<AccountId, Account>> {
  const query = store.db.selectFrom('accounts').selectAll();
  const rows = await query.where(isOneOf(store, 'id', [...new Set(ids)])).execute();
  return new Map(rows.map((row) => [row.id, accountOf(row)]));
}

/** Lists accounts by id, which is the order in which they were created. @param after only accounts after this id. */
export async function selectAccounts(store: Store, limit: number, after = ''): Promise<Account[]> {
  const rows = await store.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '>', after as AccountId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(accountOf);
}

/**
 * Returns the account and locks its row, so that only one transaction at a time changes the account. Adding a domain does not need this
 * lock, because it changes only the domain counts.
 */
export async function lockAccount(store: Store, id: AccountId): Promise<Account> {
  const query = store.db.selectFrom('accounts').selectAll().where('id', '=', id);
  return accountOf(await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirstOrThrow());
}

export async function updateAccount(tx: Tx, account: Account): Promise<void> {
  await tx.db.updateTable('accounts').set(toRow(account)).where('id', '=', account.id).execute();
}

const { toRow, fromRow } = rowMapper<Account>({
  promotional: 'flag',
  card_on_file: 'flag',
  suspended: 'flag',
});
export const accountOf = fromRow;

/** Finds accounts by name. Several accounts may have the same name. @returns at most `limit` ids. */
export async function findAccountsByName(store: Store, name: string, limit: number): Promise<AccountId[]> {
  const rows = await store.db
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', name)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** A mail that is yet to be sent to an owner of an account. The row is deleted once the mail is sent. */
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
  return row ?? null;
}

export async function deleteAccountMail(tx: Tx, id: AccountMailId): Promise<void> {
  await tx.db.deleteFrom('account_mails').where('id', '=', id).execute();
}
