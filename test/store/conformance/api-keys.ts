import { expect, test } from 'vitest';
import type { Account } from '../../../shared/core/accounts/account.ts';
import type { Mode } from '../../../shared/core/domains/status.ts';
import { MODES } from '../../../shared/core/domains/status.ts';
import { insertAccount } from '../../../shared/store/accounts/accounts.ts';
import {
  type ApiKey,
  findKeyOwner,
  insertApiKey,
  listApiKeys,
  revokeApiKey,
  touchApiKey,
} from '../../../shared/store/accounts/api-keys.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { allPages } from '../pages.ts';
import { aKey, anAccount, anApp, NOW, newId } from '../rows.ts';

const FIRST_PAGE = { limit: 50, after: null };

export function apiKeyTests(store: () => Tx): void {
  const insert = async (...keys: ApiKey[]) => {
    for (const key of keys) await insertApiKey(store(), key);
  };
  /** Adds a key together with its app and account. */
  const insertOwned = async (key: ApiKey, change: Partial<Account> = {}) => {
    const account = anAccount(change);
    await insertAccount(store(), account);
    await insertApp(store(), anApp({ id: key.app_id, account_id: account.id }));
    await insert(key);
    return account;
  };
  const found = async (hash: string) => (await findKeyOwner(store(), hash))?.key ?? null;
  const listed = async (appId: ApiKey['app_id'], modes: readonly Mode[]) =>
    (await listApiKeys(store(), appId, modes, FIRST_PAGE)).rows;

  test('finds a key by its hash as it was written', async () => {
    const key = aKey({ last_used_at: NOW + 1 });
    await insertOwned(key);
    await insertOwned(aKey());
    expect(await found(key.hash)).toEqual(key);
    expect(await found(key.hash.toUpperCase())).toBeNull();
  });

  test('finds a key with the account of its app', async () => {
    const [key, other] = [aKey(), aKey()];
    const account = await insertOwned(key);
    const suspended = await insertOwned(other, { suspended: true });
    expect(await findKeyOwner(store(), key.hash)).toEqual({
      key,
      account_id: account.id,
      suspended: false,
    });
    expect(await findKeyOwner(store(), other.hash)).toEqual({
      key: other,
      account_id: suspended.id,
      suspended: true,
    });
  });

  test('refuses a second key with the same hash', async () => {
    await insert(aKey({ hash: 'h' }));
    await expect(insertApiKey(store(), aKey({ hash: 'h' }))).rejects.toThrow();
  });

  test('a revoked key is not found, not listed, and not revoked again', async () => {
    const key = aKey();
    await insertOwned(key);
    const revoked = { ...key, revoked_at: NOW + 9 };
    expect(await revokeApiKey(store(), key.app_id, MODES, key.id, NOW + 9)).toEqual(revoked);
    expect(await found(key.hash)).toBeNull();
    expect(await listed(key.app_id, MODES)).toEqual([]);
    expect(await revokeApiKey(store(), key.app_id, MODES, key.id, NOW + 10)).toBeNull();
  });

  test('revokes a key only for its own app and in the given modes', async () => {
    const key = aKey({ mode: 'live' });
    await insertOwned(key);
    expect(await revokeApiKey(store(), newId('app'), MODES, key.id, NOW)).toBeNull();
    expect(await revokeApiKey(store(), key.app_id, ['test'], key.id, NOW)).toBeNull();
    expect(await revokeApiKey(store(), key.app_id, ['live'], newId('key'), NOW)).toBeNull();
    expect(await found(key.hash)).toEqual(key);
    expect(await revokeApiKey(store(), key.app_id, ['live'], key.id, NOW)).toEqual({
      ...key,
      revoked_at: NOW,
    });
  });

  test('one of 10 concurrent revocations of a key succeeds', async () => {
    const key = aKey();
    await insert(key);
    const revoked = await Promise.all(
      Array.from({ length: 10 }, (_, i) => revokeApiKey(store(), key.app_id, MODES, key.id, NOW + i)),
    );
    expect(revoked.filter((each) => each !== null)).toHaveLength(1);
  });

  test('records the last use of one key only', async () => {
    const key = aKey();
    const other = aKey();
    await insertOwned(key);
    await insertOwned(other);
    await touchApiKey(store(), key.id, NOW + 60_000);
    expect(await found(key.hash)).toEqual({ ...key, last_used_at: NOW + 60_000 });
    expect(await found(other.hash)).toEqual(other);
  });

  test('lists the keys of the app in the given modes, newest first', async () => {
    const appId = newId('app');
    const live = aKey({ app_id: appId, created_at: NOW });
    const testKey = aKey({ app_id: appId, mode: 'test', created_at: NOW + 1 });
    const newer = aKey({ app_id: appId, created_at: NOW + 2 });
    await insert(newer, live, testKey, aKey());
    expect(await listed(appId, MODES)).toEqual([newer, testKey, live]);
    expect(await listed(appId, ['live'])).toEqual([newer, live]);
    expect(await listed(appId, ['test'])).toEqual([testKey]);
  });

  test('pages have no gap or repetition, also among keys of one millisecond', async () => {
    const appId = newId('app');
    const keys = Array.from({ length: 7 }, (_, i) =>
      aKey({ app_id: appId, created_at: NOW + (i > 4 ? 1 : 0) }),
    );
    await insert(...keys);
    for (const limit of [1, 2, 3, 7, 100]) {
      const pages = await allPages((after) => listApiKeys(store(), appId, MODES, { limit, after }));
      expect(pages.flat()).toEqual(keys.toReversed());
      expect(pages).toHaveLength(Math.ceil(7 / limit));
    }
  });
}
