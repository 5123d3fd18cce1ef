import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** Our account at one certificate authority. All nodes share it. */
export interface AcmeAccount {
  directory_url: string;
  /** Null until the authority has confirmed it. */
  account_url: string | null;
  /** The account's key, encrypted. */
  private_key: string;
  created_at: Instant;
}

export async function findAcmeAccount(store: Store, directoryUrl: string): Promise<AcmeAccount | null> {
  const row = await store.db
    .selectFrom('acme_accounts')
    .selectAll()
    .where('directory_url', '=', directoryUrl)
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts an account, unless another node has already inserted one. @returns the stored account. */
export async function insertAcmeAccount(tx: Tx, account: AcmeAccount): Promise<AcmeAccount> {
  await tx.db
    .insertInto('acme_accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findAcmeAccount(tx, account.directory_url)) ?? account;
}

export async function setAccountUrl(tx: Tx, directoryUrl: string, accountUrl: string): Promise<void> {
  await tx.db
    .updateTable('acme_accounts')
    .set({ account_url: accountUrl })
    .where('directory_url', '=', directoryUrl)
    .execute();
}

/** Clears an account URL that the authority no longer knows. Does nothing if the account has a newer URL. */
export async function forgetAccountUrl(tx: Tx, directoryUrl: string, accountUrl: string): Promise<void> {
  await tx.db
    .updateTable('acme_accounts')
    .set({ account_url: null })
    .where('directory_url', '=', directoryUrl)
    .where('account_url', '=', accountUrl)
    .execute();
}

/** Deletes an account with its key. Does nothing if the account has a newer key. */
export async function deleteAcmeAccount(tx: Tx, { directory_url, private_key }: AcmeAccount): Promise<void> {
  await tx.db
    .deleteFrom('acme_accounts')
    .where('directory_url', '=', directory_url)
    .where('private_key', '=', private_key)
    .execute();
}
