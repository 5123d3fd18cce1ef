import {
  accountKeysNotSealedUnder,
  dataKeysNotSealedUnder,
  orderKeysNotSealedUnder,
  resealAccountKey,
  resealDataKey,
  resealOrderKey,
  type SealedDataKey,
  type SealedOrderKey,
} from '../../store/sealed/sealed-keys.ts';
import { autocommit } from '../../store/store.ts';
import { accountBinding, certificateBinding, orderBinding } from '../certificates/certificate-keys.ts';
import type { Context } from '../context.ts';

const BATCH = 100;

/** Seals the keys of certificates, orders and accounts under the ring's current key. @returns how many it sealed. */
export async function resealKeys({ store, secrets }: Context, keyId: string): Promise<number> {
  const again = (sealed: string, boundTo: string) => secrets.seal(secrets.open(sealed, boundTo), boundTo);
  let count = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: SealedDataKey[] = await dataKeysNotSealedUnder(store, keyId, BATCH, after);
    for (const row of rows)
      await resealDataKey(autocommit(store), row, again(row.data_key, certificateBinding(row)));
    count += rows.length;
    after = rows.at(-1)?.id;
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: SealedOrderKey[] = await orderKeysNotSealedUnder(store, keyId, BATCH, after);
    for (const row of rows)
      await resealOrderKey(autocommit(store), row, again(row.private_key, orderBinding(row.domain_id)));
    count += rows.length;
    after = rows.at(-1)?.domain_id;
  }
  for (const { directory_url, private_key } of await accountKeysNotSealedUnder(store, keyId)) {
    await resealAccountKey(
      autocommit(store),
      directory_url,
      again(private_key, accountBinding(directory_url)),
    );
    count += 1;
  }
  return count;
}
