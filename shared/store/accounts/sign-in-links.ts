import type { SignInLinkId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** A link that signs a person in and works only once. */
export interface SignInLink {
  id: SignInLinkId;
  /** SHA-256 of the token in hex. Null until the mail is sent, because only the mail contains the token. */
  hash: string | null;
  /** SHA-256 of the requesting browser's cookie; null for a link that an operator created. */
  browser_hash: string | null;
  mail: string;
  /** Path to open after the sign-in. */
  next: string;
  expires_at: Instant;
  used_at: Instant | null;
}

export async function insertSignInLink(tx: Tx, link: SignInLink): Promise<void> {
  await tx.db.insertInto('sign_in_links').values(link).execute();
}

export async function findSignInLink(store: Store, id: SignInLinkId): Promise<SignInLink | null> {
  const row = await store.db.selectFrom('sign_in_links').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/**
 * Marks a link as used. A single statement finds and marks the link, so only one of two concurrent uses succeeds.
 * @param browserHash digest of the cookie of the browser that opened the link; null if the browser has none.
 * @returns null if the link is unknown, used or expired, or belongs to another browser.
 */
export async function claimSignInLink(
  tx: Tx,
  hash: string,
  browserHash: string | null,
  now: Instant,
): Promise<SignInLink | null> {
  const row = await tx.db
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where((eb) =>
      browserHash === null
        ? eb('browser_hash', 'is', null)
        : eb.or([eb('browser_hash', 'is', null), eb('browser_hash', '=', browserHash)]),
    )
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Sets the token of a link before the link is sent. An earlier token of the link stops working. */
export async function setLinkToken(tx: Tx, id: SignInLinkId, hash: string): Promise<void> {
  await tx.db.updateTable('sign_in_links').set({ hash }).where('id', '=', id).execute();
}
