import { expect, test } from 'vitest';
import { PLAN_NAMES } from '../../../shared/core/plan.ts';
import {
  findAccount,
  insertAccount,
  listAccounts,
  lockAccount,
  updateAccount,
} from '../../../shared/store/accounts.ts';
import { insertApp } from '../../../shared/store/apps.ts';
import { countDomains, insertDomain } from '../../../shared/store/domains.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { aDomain, anAccount, anApp, NOW, newId } from '../rows.ts';

export function accountTests(store: () => Store): void {
  test.each([
    anAccount(),
    anAccount({ promotional: true, trial_ends_at: NOW + 1 }),
    anAccount({ card_on_file: true, trial_ends_at: Number.MAX_SAFE_INTEGER }),
    anAccount({ suspended: true, name: `Zoë's "Café" \\ 100 % 🦔` }),
    ...PLAN_NAMES.map((plan) => anAccount({ plan })),
  ])('an account is found as it was written: %j', async (account) => {
    await insertAccount(store(), account);
    expect(await findAccount(store(), account.id)).toEqual(account);
    expect(await lockAccount(store(), account.id)).toEqual(account);
  });

  test('an account that is not there is null, and cannot be locked', async () => {
    await insertAccount(store(), anAccount());
    const id = newId('acc');
    expect(await findAccount(store(), id)).toBeNull();
    await expect(lockAccount(store(), id)).rejects.toThrow();
  });

  test('accounts are listed in the order of their ids, after the one given', async () => {
    const accounts = Array.from({ length: 5 }, () => anAccount());
    for (const account of accounts.toReversed()) await insertAccount(store(), account);
    expect(await listAccounts(store(), 9)).toEqual(accounts);
    expect(await listAccounts(store(), 2)).toEqual(accounts.slice(0, 2));
    expect(await listAccounts(store(), 2, accounts[1]?.id)).toEqual(accounts.slice(2, 4));
    expect(await listAccounts(store(), 2, accounts[4]?.id)).toEqual([]);
  });

  test('an id is an account only once', async () => {
    const account = anAccount();
    await insertAccount(store(), account);
    await expect(insertAccount(store(), { ...account, name: 'Other' })).rejects.toThrow();
    expect(await findAccount(store(), account.id)).toEqual(account);
  });

  test('an update writes every field of that account alone', async () => {
    const account = anAccount();
    const other = anAccount();
    await insertAccount(store(), account);
    await insertAccount(store(), other);
    const changed = anAccount({
      id: account.id,
      name: 'Acme Ltd',
      plan: 'scale',
      trial_ends_at: NOW + 5,
      promotional: true,
      card_on_file: true,
      suspended: true,
      created_at: NOW + 1,
    });
    await updateAccount(store(), changed);
    expect(await findAccount(store(), account.id)).toEqual(changed);
    expect(await findAccount(store(), other.id)).toEqual(other);
  });

  test('of 20 that count under the lock and add while there is room for 5, exactly 5 add', async () => {
    const account = anAccount();
    const app = anApp({ account_id: account.id });
    await insertAccount(store(), account);
    await insertApp(store(), app);
    const added = await Promise.all(
      Array.from({ length: 20 }, () =>
        inTransaction(store(), async (tx) => {
          await lockAccount(tx, account.id);
          const used = await countDomains(tx, account.id);
          return used < 5 && insertDomain(tx, aDomain({ app_id: app.id }));
        }),
      ),
    );
    expect(added.filter(Boolean)).toHaveLength(5);
    expect(await countDomains(store(), account.id)).toBe(5);
  });
}
