import { sql } from 'kysely';
import type { Mode } from '../../core/domains/status.ts';
import type { AccountId, AppId, KeyId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { olderThan, type PageRequest, type RowPage, toPage } from '../page.ts';
import type { Store, Tx } from '../store.ts';

/** A stored API key: its hash and metadata, never the key itself. */
export interface ApiKey {
  id: KeyId;
  app_id: AppId;
  name: string;
  mode: Mode;
  prefix: string;
  last4: string;
  /** SHA-256 of the key in hex. */
  hash: string;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
}

/** An active key and the account of its app. */
export interface KeyOwner {
  key: ApiKey;
  account_id: AccountId;
  suspended: boolean;
}

export async function insertApiKey(tx: Tx, key: ApiKey): Promise<void> {
  await tx.db.insertInto('api_keys').values(key).execute();
}

/** Finds the active key with this hash and its account. A request is authenticated with this single query. */
export async function findKeyOwner(store: Store, hash: string): Promise<KeyOwner | null> {
  const row = await store.db
    .selectFrom('api_keys')
    .innerJoin('apps', 'apps.id', 'api_keys.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .selectAll('api_keys')
    .select(['accounts.id as account_id', 'accounts.suspended'])
    .where('api_keys.hash', '=', hash)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { account_id, suspended, ...key } = row;
  return { key, account_id, suspended: suspended === 1 };
}

/** Lists keys of the given modes. A live key may list the keys of both modes, and a test key only test keys (`docs/api.md#keys`). */
export async function listApiKeys(
  store: Store,
  appId: AppId,
  modes: readonly Mode[],
  page: PageRequest,
): Promise<RowPage<ApiKey>> {
  // Queries each mode separately, because the index sorts the keys of one mode in page order. A query for both modes could read keys that
  // the caller did not ask for.
  const ofModes = modes.map((mode) => sql`select * from (${keysOf(store, appId, mode, page)}) of_mode`);
  const { rows } = await sql<ApiKey>`
    ${sql.join(ofModes, sql` union all `)} order by created_at desc, id desc limit ${page.limit + 1}`.execute(
    store.db,
  );
  return toPage(rows, page.limit);
}

function keysOf(store: Store, appId: AppId, mode: Mode, { after, limit }: PageRequest) {
  let query = store.db
    .selectFrom('api_keys')
    .selectAll()
    .where('app_id', '=', appId)
    .where('mode', '=', mode)
    .where('revoked_at', 'is', null);
  if (after) query = query.where((eb) => olderThan(eb, after));
  return query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
}

/** Returns whether a key exists and is not revoked. */
export async function isActiveKey(store: Store, id: KeyId): Promise<boolean> {
  const row = await store.db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the active keys of an account's apps. */
export async function countKeys(store: Store, accountId: AccountId, modes: readonly Mode[]): Promise<number> {
  const row = await store.db
    .selectFrom('api_keys')
    .innerJoin('apps', 'apps.id', 'api_keys.app_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('apps.account_id', '=', accountId)
    .where('api_keys.mode', 'in', modes)
    .where('api_keys.revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Revokes a key. @returns the revoked key, or null if there is no such active key. */
export async function revokeApiKey(
  tx: Tx,
  appId: AppId,
  modes: readonly Mode[],
  id: string,
  now: Instant,
): Promise<ApiKey | null> {
  const row = await tx.db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id as KeyId)
    .where('app_id', '=', appId)
    .where('mode', 'in', modes)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function touchApiKey(tx: Tx, id: KeyId, now: Instant): Promise<void> {
  await tx.db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
