import type { AppId } from '../../core/ids.ts';
import { lockApp, updateApp } from '../../store/accounts/apps.ts';
import {
  answersNotSealedUnder,
  appsNotSealedUnder,
  resealAnswer,
  type SealedAnswer,
} from '../../store/sealed/sealed.ts';
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
import { type Context, transact } from '../context.ts';
import { answerBinding } from '../domains/effect.ts';
import { reconcileAllEdgeValues } from '../edge/reconcile-edge-values.ts';
import { sealedFor } from '../events/signing-secrets.ts';
import { withAudit } from './with-audit.ts';

const BATCH = 100;

export interface Resealed {
  apps: number;
  answers: number;
  /** Number of sealed keys of certificates, of running orders, and of accounts at certificate authorities. */
  tlsKeys: number;
}

/**
 * Seals every stored secret under the current key of the key ring, in batches, so that older keys can be removed from the ring. If it is
 * interrupted, a second run continues where the first stopped. The audit log has separate entries for the start and the end, because the
 * rotation spans many transactions.
 */
export async function rotateEncryptionKey(
  context: Context,
  actor: string,
  currentKeyId: string,
): Promise<Resealed> {
  const record = (detail: Record<string, unknown>) =>
    withAudit(
      context,
      { actor, action: 'encryption_key.rotate', subject: currentKeyId, detail },
      async () => undefined,
    );
  await record({ step: 'start' });
  const done = { apps: 0, answers: 0, tlsKeys: 0 };
  for (let ids = await appsNotSealedUnder(context.store, currentKeyId, BATCH); ids.length > 0; ) {
    for (const id of ids) await resealApp(context, id);
    done.apps += ids.length;
    ids = await appsNotSealedUnder(context.store, currentKeyId, BATCH, ids.at(-1));
  }
  done.answers = await resealAnswers(context, currentKeyId);
  done.tlsKeys = await resealKeys(context, currentKeyId);
  // The keys of the edge may derive from the key ring.
  await reconcileAllEdgeValues(context);
  await record({ step: 'end', ...done });
  return done;
}

async function resealApp(context: Context, id: AppId): Promise<void> {
  await transact(context, async (tx) => {
    const app = await lockApp(tx.store, id);
    const boundTo = sealedFor(id);
    const again = (sealed: string) => tx.secrets.seal(tx.secrets.open(sealed, boundTo), boundTo);
    await updateApp(tx.store, id, {
      signing_secret: again(app.signing_secret),
      previous_signing_secret:
        app.previous_signing_secret === null ? null : again(app.previous_signing_secret),
    });
  });
}

async function resealAnswers(context: Context, keyId: string): Promise<number> {
  let count = 0;
  for (let last: SealedAnswer | null = null; ; ) {
    const rows: SealedAnswer[] = await answersNotSealedUnder(context.store, keyId, BATCH, last);
    for (const row of rows) {
      const boundTo = answerBinding({ scope: row, key: row.key });
      const body = context.secrets.seal(context.secrets.open(row.body, boundTo), boundTo);
      await resealAnswer(autocommit(context.store), row, body);
    }
    count += rows.length;
    last = rows.at(-1) ?? null;
    if (rows.length < BATCH) return count;
  }
}

/**
 * Seals the keys of certificates, orders and accounts under the current key of the key ring.
 * @returns the number of keys that it sealed.
 */
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
