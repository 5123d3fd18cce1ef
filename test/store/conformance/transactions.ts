import { expect, test } from 'vitest';
import { findAccount, insertAccount } from '../../../shared/store/accounts/accounts.ts';
import { selectDomains } from '../../../shared/store/domains/domain-list.ts';
import { selectEvents } from '../../../shared/store/events/events.ts';
import { nextLaneDue } from '../../../shared/store/events/lanes.ts';
import { nextJobDue, scheduleJob } from '../../../shared/store/jobs/jobs.ts';
import { inTransaction, isTransaction, type Tx } from '../../../shared/store/store.ts';
import { aDomain, anAccount, anEvent, NOW, newId, scopeOf } from '../rows.ts';
import { insertDomain, insertEvent, wakeLane } from '../writes.ts';

export function transactionTests(store: () => Tx): void {
  test('rolls everything back if the work throws: domain, metadata, event, lane and job', async () => {
    const domain = aDomain({ metadata: { a: 'b' } });
    const { id: domainId, app_id } = domain;
    const failing = inTransaction(store(), async (tx) => {
      await insertDomain(tx, domain);
      await insertEvent(tx, anEvent({ domain_id: domainId, app_id }));
      await wakeLane(tx, domainId, app_id, NOW);
      await scheduleJob(tx, { kind: 'expire', subject_id: domainId, app_id, due_at: NOW });
      expect(await nextJobDue(tx)).toBe(NOW);
      throw new RangeError('the last step failed');
    });
    await expect(failing).rejects.toThrow(new RangeError('the last step failed'));
    const page = { limit: 9, after: null };
    expect((await selectDomains(store(), scopeOf(domain), {}, page)).rows).toEqual([]);
    expect((await selectEvents(store(), scopeOf(domain), {}, page)).rows).toEqual([]);
    expect(await nextLaneDue(store())).toBeNull();
    expect(await nextJobDue(store())).toBeNull();
    const metadata = await store().db.selectFrom('domain_metadata').selectAll().execute();
    expect(metadata).toEqual([]);
  });

  test('rolls earlier statements back if one fails', async () => {
    const account = anAccount();
    const failing = inTransaction(store(), async (tx) => {
      await insertAccount(tx, account);
      await insertAccount(tx, account);
    });
    await expect(failing).rejects.toThrow();
    expect(await findAccount(store(), account.id)).toBeNull();
  });

  test('commits work that returns, and returns its result', async () => {
    const account = anAccount();
    const result = await inTransaction(store(), async (tx) => {
      await insertAccount(tx, account);
      return findAccount(tx, account.id);
    });
    expect(result).toEqual(account);
    expect(await findAccount(store(), account.id)).toEqual(account);
  });

  test('a nested transaction is part of the outer one, which rolls both back', async () => {
    const [outer, inner] = [anAccount(), anAccount()];
    const failing = inTransaction(store(), async (tx) => {
      await insertAccount(tx, outer);
      await inTransaction(tx, async (joined) => {
        expect(joined).toBe(tx);
        await insertAccount(joined, inner);
      });
      throw new Error('after the inner one');
    });
    await expect(failing).rejects.toThrow('after the inner one');
    expect(await findAccount(store(), outer.id)).toBeNull();
    expect(await findAccount(store(), inner.id)).toBeNull();
  });

  test('a store knows whether it is in a transaction', async () => {
    expect(isTransaction(store())).toBe(false);
    expect(await inTransaction(store(), async (tx) => isTransaction(tx))).toBe(true);
    expect(isTransaction(store())).toBe(false);
  });

  test('the store keeps working after any number of failures', async () => {
    for (let i = 0; i < 30; i++) {
      const failing = inTransaction(store(), async () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('no');
    }
    const account = anAccount({ id: newId('acc') });
    await insertAccount(store(), account);
    expect(await findAccount(store(), account.id)).toEqual(account);
  });
}
