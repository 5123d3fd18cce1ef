import { expect, test } from 'vitest';
import { PLAN_NAMES } from '../../../shared/core/accounts/plan.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import {
  findAccount,
  insertAccount,
  lockAccount,
  selectAccounts,
  updateAccount,
} from '../../../shared/store/accounts/accounts.ts';
import { insertApp } from '../../../shared/store/accounts/apps.ts';
import { readDomainCounts } from '../../../shared/store/domains/domain-counts.ts';
import { lockDomainById, saveDomain } from '../../../shared/store/domains/domains.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { aDomain, anAccount, anApp, insertCounted, NOW, newId } from '../rows.ts';
import { countDomain } from '../writes.ts';

export function accountTests(store: () => Tx): void {
  test.each([
    anAccount(),
    anAccount({ promotional: true, trial_ends_at: NOW + 1 }),
    anAccount({ card_on_file: true, trial_ends_at: Number.MAX_SAFE_INTEGER }),
    anAccount({ suspended: true, name: `Zoë's "Café" \\ 100 % 🦔` }),
    ...PLAN_NAMES.map((plan) => anAccount({ plan })),
  ])('reads an account as it was written: %j', async (account) => {
    await insertAccount(store(), account);
    expect(await findAccount(store(), account.id)).toEqual(account);
    expect(await lockAccount(store(), account.id)).toEqual(account);
  });

  test('returns null for an unknown account, which cannot be locked', async () => {
    await insertAccount(store(), anAccount());
    const id = newId('acc');
    expect(await findAccount(store(), id)).toBeNull();
    await expect(lockAccount(store(), id)).rejects.toThrow();
  });

  test('lists accounts in the order of their ids, after the given one', async () => {
    const accounts = Array.from({ length: 5 }, () => anAccount());
    for (const account of accounts.toReversed()) await insertAccount(store(), account);
    expect(await selectAccounts(store(), 9)).toEqual(accounts);
    expect(await selectAccounts(store(), 2)).toEqual(accounts.slice(0, 2));
    expect(await selectAccounts(store(), 2, accounts[1]?.id)).toEqual(accounts.slice(2, 4));
    expect(await selectAccounts(store(), 2, accounts[4]?.id)).toEqual([]);
  });

  test('refuses a second account with the same id', async () => {
    const account = anAccount();
    await insertAccount(store(), account);
    await expect(insertAccount(store(), { ...account, name: 'Other' })).rejects.toThrow();
    expect(await findAccount(store(), account.id)).toEqual(account);
  });

  test('updates every field of one account only', async () => {
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

  test('exactly 5 of 20 simultaneous additions succeed if the limit is 5', async () => {
    const app = anApp();
    await insertApp(store(), app);
    const added = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        countDomain(store(), null, aDomain({ app_id: app.id }), { used: 5, added: null }),
      ),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await readDomainCounts(store(), app.account_id)).toEqual({ used: 5, added: 5, tests: 0 });
  });

  test('counts follow each status change, and only live domains count towards the plan', async () => {
    const app = anApp();
    await insertApp(store(), app);
    const counts = () => readDomainCounts(store(), app.account_id);
    const domain = aDomain({ app_id: app.id });
    await insertCounted(store(), domain);
    await insertCounted(store(), domain);
    await insertCounted(store(), aDomain({ app_id: app.id, mode: 'test' }));
    expect(await counts()).toEqual({ used: 1, added: 1, tests: 1 });
    const steps = [
      ['active', 1],
      ['expired', 0],
      ['held', 1],
      ['expired', 0],
      ['pending_dns', 1],
      ['deleted', 0],
    ] as const;
    let before: Domain = domain;
    for (const [status, used] of steps) {
      const after = { ...before, status };
      await countDomain(store(), before, after);
      await countDomain(store(), before, { ...after, mode: 'test' });
      expect(await counts()).toEqual({ used, added: 1, tests: status === 'deleted' ? 0 : 1 });
      before = after;
    }
  });

  test('counts stay right during concurrent creates and deletes', async () => {
    const account = anAccount();
    const app = anApp({ account_id: account.id });
    await insertAccount(store(), account);
    await insertApp(store(), app);
    const there = Array.from({ length: 10 }, () => aDomain({ app_id: app.id }));
    for (const domain of there) await insertCounted(store(), domain);
    const remove = (domain: Domain) =>
      inTransaction(store(), async (tx) => {
        const locked = await lockDomainById(tx, domain.id);
        if (locked === null) throw new Error('The domain is gone');
        const deleted: Domain = { ...locked, status: 'deleted' };
        await saveDomain(tx, deleted);
        await countDomain(tx, locked, deleted);
      });
    const add = () =>
      inTransaction(store(), async (tx) => {
        await lockAccount(tx, account.id);
        await insertCounted(tx, aDomain({ app_id: app.id }));
      });
    await Promise.all(there.flatMap((domain) => [remove(domain), add()]));
    expect(await readDomainCounts(store(), account.id)).toEqual({ used: 10, added: 20, tests: 0 });
  });
}
