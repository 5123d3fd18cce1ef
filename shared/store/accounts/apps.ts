import { sql } from 'kysely';
import type { App, WebhookApp } from '../../core/apps/app.ts';
import type { AccountId, AppId } from '../../core/ids.ts';
import { isOneOf } from '../row-list.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

export async function insertApp(tx: Tx, app: App): Promise<void> {
  await tx.db.insertInto('apps').values(toRow(app)).execute();
}

export async function findApp(store: Store, id: AppId): Promise<App | null> {
  const row = await selectApp(store, id).executeTakeFirst();
  return row ? appOfRow(row) : null;
}

/** Returns the apps with these ids, by id. */
export async function getApps(store: Store, ids: readonly AppId[]): Promise<Map<AppId, App>> {
  const rows = await selectApps(store, ids).selectAll().execute();
  return new Map(rows.map((row) => [row.id, appOfRow(row)]));
}

/** Returns the columns of these apps that deliveries need, by app id. Other columns, such as a logo, may be large. */
export async function getWebhookApps(store: Store, ids: readonly AppId[]): Promise<Map<AppId, WebhookApp>> {
  const rows = await selectApps(store, ids)
    .select([
      'id',
      'webhook_url',
      'webhook_epoch',
      'signing_secret',
      'previous_signing_secret',
      'previous_valid_until',
    ])
    .execute();
  return new Map(rows.map((app) => [app.id, app]));
}

function selectApps(store: Store, ids: readonly AppId[]) {
  return store.db.selectFrom('apps').where(isOneOf(store, 'id', [...new Set(ids)]));
}

export async function getApp(store: Store, id: AppId): Promise<App> {
  return appOfRow(await selectApp(store, id).executeTakeFirstOrThrow());
}

export function selectApp(store: Store, id: AppId) {
  return store.db.selectFrom('apps').selectAll().where('id', '=', id);
}

export async function listAppsOfAccount(store: Store, accountId: AccountId): Promise<App[]> {
  const rows = await store.db
    .selectFrom('apps')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(appOfRow);
}

/** Returns the app and locks its row. Call this before you change the app. */
export async function lockApp(store: Store, id: AppId): Promise<App> {
  const query = store.db.selectFrom('apps').selectAll().where('id', '=', id);
  return appOfRow(await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirstOrThrow());
}

/** Changes the given fields of an app. Setting `webhook_url` to null cancels the pending deliveries of all existing events. */
export async function updateApp(tx: Tx, id: AppId, change: Partial<App>): Promise<void> {
  const cancels = change.webhook_url === null && { webhook_epoch: sql<number>`webhook_epoch + 1` };
  await tx.db
    .updateTable('apps')
    .set({ ...toRow(change), ...cancels })
    .where('id', '=', id)
    .execute();
}

/**
 * Finds the apps, of any account, that have verified a white-label host. An app that only claims a host without verifying it must not block
 * another app.
 */
export async function findAppsByVerifiedHost(store: Store, host: string): Promise<App[]> {
  const rows = await store.db
    .selectFrom('apps')
    .selectAll()
    .where('whitelabel_host', '=', host)
    .where('whitelabel_verified', '=', 1)
    .execute();
  return rows.map(appOfRow);
}

const { toRow, fromRow } = rowMapper<App>({
  origin_reachable: 'flag',
  whitelabel_verified: 'flag',
  allow_proxied: 'flag',
});
export const appOfRow = fromRow;
