import type { Passkey } from '../../core/accounts/passkey.ts';
import type { PasskeyId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

/** Inserts a passkey. @returns false if any person already has a passkey with this credential. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('passkeys')
    .values(toRow(passkey))
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Lists the passkeys of a person in the order of their creation. */
export async function listPasskeys(store: Store, mail: string): Promise<Passkey[]> {
  const rows = await store.db
    .selectFrom('passkeys')
    .selectAll()
    .where('mail', '=', mail)
    .orderBy('id')
    .execute();
  return rows.map(fromRow);
}

export async function findPasskey(store: Store, credentialId: string): Promise<Passkey | null> {
  const row = await store.db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * Records the counter of a passkey's signature. One statement compares and sets the counter. So if an authenticator and its copy send the
 * same counter, only one of the signatures is accepted, whichever nodes verify them (WebAuthn section 7.2, step 22).
 * @returns false if the counter did not increase, or the passkey is gone. An authenticator without a counter always sends 0.
 */
export async function recordPasskeyUse(
  tx: Tx,
  id: PasskeyId,
  counter: number,
  now: Instant,
): Promise<boolean> {
  const updated = await tx.db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Deletes a passkey of a person. @returns whether the person had this passkey. */
export async function deletePasskey(tx: Tx, mail: string, id: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('passkeys')
    .where('id', '=', id as PasskeyId)
    .where('mail', '=', mail)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

const { toRow, fromRow } = rowMapper<Passkey>({ transports: 'json' });
