import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** The scheduled end of an app's white-label host, because the account's plan no longer includes white-label. */
export interface WhitelabelEnding {
  app_id: AppId;
  ends_at: Instant;
  /** Number of mails about the end that were sent so far. */
  mails: number;
}

export async function findWhitelabelEnding(store: Store, appId: AppId): Promise<WhitelabelEnding | null> {
  const row = await store.db
    .selectFrom('whitelabel_endings')
    .selectAll()
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts or replaces the scheduled end of an app's white-label host. */
export async function saveWhitelabelEnding(tx: Tx, ending: WhitelabelEnding): Promise<void> {
  const { ends_at, mails } = ending;
  await tx.db
    .insertInto('whitelabel_endings')
    .values(ending)
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ ends_at, mails }))
    .execute();
}

export async function deleteWhitelabelEnding(tx: Tx, appId: AppId): Promise<void> {
  await tx.db.deleteFrom('whitelabel_endings').where('app_id', '=', appId).execute();
}
