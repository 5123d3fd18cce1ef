import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../../shared/core/ids.ts';
import { findAccount, insertAccount } from '../../../shared/store/accounts/accounts.ts';
import { compileOnce } from '../../../shared/store/compile-once.ts';
import { runTogether, type Statement } from '../../../shared/store/run-together.ts';
import { inTransaction, runWithCommit, type Store, type Tx } from '../../../shared/store/store.ts';
import { anAccount, newId } from '../rows.ts';

export function statementTests(store: () => Tx): void {
  const rename = (tx: Tx, id: AccountId, name: string): Statement =>
    tx.db.updateTable('accounts').set({ name }).where('id', '=', id).compile();
  const nameOf = (on: Store, id: AccountId): Statement<{ name: string }> =>
    on.db.selectFrom('accounts').select('name').where('id', '=', id).compile();

  describe('statements that are sent together', () => {
    test('run in their order, and each sees what those before it wrote', async () => {
      const account = anAccount({ name: 'first' });
      await insertAccount(store(), account);
      const [before, , between, , after] = await inTransaction(store(), (tx) =>
        runTogether(
          tx,
          nameOf(tx, account.id),
          rename(tx, account.id, 'second'),
          nameOf(tx, account.id),
          rename(tx, account.id, 'third'),
          nameOf(tx, account.id),
        ),
      );
      expect([before, between, after]).toEqual([
        [{ name: 'first' }],
        [{ name: 'second' }],
        [{ name: 'third' }],
      ]);
    });

    test('are rolled back with the error of the one that failed, whatever follows it', async () => {
      const account = anAccount({ name: 'first' });
      await insertAccount(store(), account);
      const failing = inTransaction(store(), (tx) =>
        runTogether(
          tx,
          rename(tx, account.id, 'second'),
          sql`insert into accounts (id) values (${account.id})`.compile(tx.db),
          nameOf(tx, account.id),
          rename(tx, account.id, 'third'),
        ),
      );
      await expect(failing).rejects.toThrow(/constraint/i);
      expect((await findAccount(store(), account.id))?.name).toBe('first');
    });

    test('may be none', async () => {
      expect(await inTransaction(store(), (tx) => runTogether(tx))).toEqual([]);
    });
  });

  describe('statements that are sent with COMMIT', () => {
    const insertion = (tx: Tx, id: string): Statement =>
      sql`insert into domain_counts (account_id, used, added, tests) values (${id}, 0, 0, 0)`.compile(tx.db);

    test('statements for the COMMIT run after all other statements of the transaction', async () => {
      const account = anAccount({ name: 'first' });
      await insertAccount(store(), account);
      await inTransaction(store(), async (tx) => {
        runWithCommit(tx, rename(tx, account.id, 'last'));
        await runTogether(tx, rename(tx, account.id, 'second'));
        expect((await findAccount(tx, account.id))?.name).toBe('second');
      });
      expect((await findAccount(store(), account.id))?.name).toBe('last');
    });

    test('the transaction rolls back and runs again if a statement for the COMMIT breaks a constraint', async () => {
      const account = anAccount({ name: 'first' });
      await insertAccount(store(), account);
      let runs = 0;
      await inTransaction(store(), async (tx) => {
        runs++;
        expect((await findAccount(tx, account.id))?.name).toBe('first');
        await runTogether(tx, rename(tx, account.id, `run ${runs}`));
        runWithCommit(tx, insertion(tx, account.id));
        if (runs === 1) runWithCommit(tx, insertion(tx, account.id));
      });
      expect(runs).toBe(2);
      expect((await findAccount(store(), account.id))?.name).toBe('run 2');
    });

    test('the transaction rolls back with the error of the statement for the COMMIT that failed', async () => {
      const account = anAccount({ name: 'first' });
      await insertAccount(store(), account);
      let runs = 0;
      const failing = inTransaction(store(), async (tx) => {
        runs++;
        await runTogether(tx, rename(tx, account.id, 'second'));
        runWithCommit(
          tx,
          sql`insert into missing values (${1})`.compile(tx.db),
          rename(tx, account.id, 'last'),
        );
      });
      await expect(failing).rejects.toThrow('missing');
      expect(runs).toBe(1);
      expect((await findAccount(store(), account.id))?.name).toBe('first');
    });

    test('runWithCommit throws outside a transaction', () => {
      expect(() => runWithCommit(store(), rename(store(), newId('acc'), 'last'))).toThrow(
        new TypeError('runWithCommit needs a transaction; call it within inTransaction'),
      );
    });
  });

  test('a statement that is compiled once takes new values with each run, also in a transaction', async () => {
    const [one, other] = [anAccount({ name: 'one' }), anAccount({ name: 'other' })];
    for (const account of [one, other]) await insertAccount(store(), account);
    let compiled = 0;
    const select = compileOnce((on, given: { id: AccountId }) => {
      compiled += 1;
      return nameOf(on, given.id);
    });
    const rowsOf = async (on: Store, id: AccountId) => (await on.db.executeQuery(select(on, { id }))).rows;
    expect(await rowsOf(store(), one.id)).toEqual([{ name: 'one' }]);
    expect(await inTransaction(store(), (tx) => rowsOf(tx, other.id))).toEqual([{ name: 'other' }]);
    expect(compiled).toBe(1);
    expect(() => select(store(), {} as never)).toThrow('the statement needs values of id');
    expect(() => select(store(), { id: undefined } as never)).toThrow('the statement needs a value of id');
  });
}
