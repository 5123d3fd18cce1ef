import type { CertificateId, DomainId } from '../../core/ids.ts';
import type { Store, Tx } from '../store.ts';
import { isNotSealedUnder } from './sealed.ts';

/** Reads and replaces the keys that the certificate manager has encrypted. Used to rotate the encryption key. */

export interface SealedDataKey {
  id: CertificateId;
  domain_id: DomainId;
  serial: string;
  data_key: string;
}

export interface SealedOrderKey {
  domain_id: DomainId;
  private_key: string;
}

/**
 * Returns the encrypted data keys of the certificates after a given certificate, sorted by id, so that none is read twice. The private
 * keys, which the data keys encrypt, stay unchanged.
 */
export async function dataKeysNotSealedUnder(
  store: Store,
  keyId: string,
  limit: number,
  after = '',
): Promise<SealedDataKey[]> {
  return store.db
    .selectFrom('certificates')
    .select(['id', 'domain_id', 'serial', 'data_key'])
    .where('id', '>', after as CertificateId)
    .where(isNotSealedUnder(keyId, 'data_key'))
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function resealDataKey(tx: Tx, { id }: SealedDataKey, dataKey: string): Promise<void> {
  await tx.db.updateTable('certificates').set({ data_key: dataKey }).where('id', '=', id).execute();
}

/**
 * Returns the encrypted private keys of running orders, sorted by domain.
 * @param after the domain of the last key of the previous batch, so that no key is read twice.
 */
export async function orderKeysNotSealedUnder(
  store: Store,
  keyId: string,
  limit: number,
  after = '',
): Promise<SealedOrderKey[]> {
  const rows = await store.db
    .selectFrom('certificate_orders')
    .select(['domain_id', 'private_key'])
    .where('domain_id', '>', after as DomainId)
    .where(isNotSealedUnder(keyId, 'private_key'))
    .orderBy('domain_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, private_key: row.private_key ?? '' }));
}

/** Replaces the encrypted key of an order, unless the order has changed since the key was read. */
export async function resealOrderKey(tx: Tx, order: SealedOrderKey, privateKey: string): Promise<void> {
  await tx.db
    .updateTable('certificate_orders')
    .set({ private_key: privateKey })
    .where((eb) => eb.and({ domain_id: order.domain_id, private_key: order.private_key }))
    .execute();
}

/** Returns the encrypted keys of all our accounts at certificate authorities. There are few, so one query reads them all. */
export async function accountKeysNotSealedUnder(
  store: Store,
  keyId: string,
): Promise<{ directory_url: string; private_key: string }[]> {
  return store.db
    .selectFrom('acme_accounts')
    .select(['directory_url', 'private_key'])
    .where(isNotSealedUnder(keyId, 'private_key'))
    .orderBy('directory_url')
    .execute();
}

export async function resealAccountKey(tx: Tx, directoryUrl: string, privateKey: string): Promise<void> {
  await tx.db
    .updateTable('acme_accounts')
    .set({ private_key: privateKey })
    .where('directory_url', '=', directoryUrl)
    .execute();
}
