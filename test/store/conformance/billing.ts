import { expect, test } from 'vitest';
import type { BillingAccount } from '../../../shared/core/accounts/billing-state.ts';
import {
  deleteAccountMail,
  findAccountMail,
  insertAccountMail,
} from '../../../shared/store/accounts/accounts.ts';
import {
  findBillingAccount,
  findBillingAccountOfCustomer,
  listBilledAccounts,
  lockBillingAccount,
  newBillingAccount,
  recordBillingEvent,
  saveBillingAccount,
} from '../../../shared/store/accounts/billing-accounts.ts';
import {
  deleteWhitelabelEnding,
  findWhitelabelEnding,
  saveWhitelabelEnding,
} from '../../../shared/store/accounts/whitelabel-endings.ts';
import { prune } from '../../../shared/store/prune.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOTHING, NOW, newId } from '../rows.ts';

function billed(customerId: string): BillingAccount {
  return {
    account_id: newId('acc'),
    customer_id: customerId,
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
    newest_card_at: NOW,
    subscription: {
      id: 'sub_1',
      item_id: 'si_1',
      price_id: 'price_1',
      status: 'past_due',
      period_ends_at: NOW + 1,
      ends_with_period: true,
    },
    plan: 'growth',
    plan_asked: 'scale',
    asked_until: NOW + 2,
    choice_id: 'choice',
    choice_began_at: NOW + 6,
    payment_failed_at: NOW + 3,
    dunning_steps: 2,
    suspended_at: NOW + 4,
    trial_mailed_for: NOW + 5,
    trial_mailed_days: 3,
    version: 7,
  };
}

export function billingTests(store: () => Tx): void {
  const save = (billing: BillingAccount) =>
    inTransaction(store(), async (tx) => {
      await lockBillingAccount(tx, billing.account_id);
      await saveBillingAccount(tx, billing);
    });

  test('reads the billing of an account as it was saved, under the next version', async () => {
    const billing = billed('cus_read');
    expect(await findBillingAccount(store(), billing.account_id)).toBeNull();
    await save(billing);
    expect(await findBillingAccount(store(), billing.account_id)).toEqual({ ...billing, version: 8 });
    expect(await findBillingAccountOfCustomer(store(), 'cus_read')).toEqual({ ...billing, version: 8 });
    expect(await findBillingAccountOfCustomer(store(), 'cus_none')).toBeNull();
    const blank = { ...newBillingAccount(billing.account_id), version: 8 };
    await save(blank);
    expect(await findBillingAccount(store(), billing.account_id)).toEqual({ ...blank, version: 9 });
  });

  test('counts each of 20 writes that lock the row at the same time', async () => {
    const { account_id } = billed('');
    const count = async () =>
      inTransaction(store(), async (tx) => saveBillingAccount(tx, await lockBillingAccount(tx, account_id)));
    await Promise.all(Array.from({ length: 20 }, count));
    expect((await findBillingAccount(store(), account_id))?.version).toBe(20);
  });

  test('refuses a customer of two accounts, and accepts many accounts without one', async () => {
    await save(billed('cus_twice'));
    await expect(save(billed('cus_twice'))).rejects.toThrow();
    for (let times = 0; times < 2; times++) await save(newBillingAccount(newId('acc')));
  });

  test('lists accounts with a customer in the order of their ids, after the given one', async () => {
    const known = new Set(await listBilledAccounts(store(), 1000));
    const all = [billed('cus_a'), billed('cus_b'), billed('cus_c')];
    for (const each of all.toReversed()) await save(each);
    await save(newBillingAccount(newId('acc')));
    const ids = all.map(({ account_id }) => account_id);
    expect((await listBilledAccounts(store(), 1000)).filter((id) => !known.has(id))).toEqual(ids);
    expect(await listBilledAccounts(store(), 1, ids[0])).toEqual([ids[1]]);
  });

  test('of the same event recorded many times, one is new, until it is pruned', async () => {
    const event = { id: 'evt_1', type: 'invoice.paid', account_id: newId('acc'), received_at: NOW };
    const recorded = await Promise.all(Array.from({ length: 10 }, () => recordBillingEvent(store(), event)));
    expect(recorded.filter((isNew) => isNew)).toHaveLength(1);
    await prune(store(), { ...NOTHING, billing_events: NOW });
    expect(await recordBillingEvent(store(), event)).toBe(false);
    await prune(store(), { ...NOTHING, billing_events: NOW + 1 });
    expect(await recordBillingEvent(store(), event)).toBe(true);
  });

  test('keeps a mail to an owner until it is deleted', async () => {
    const mail = {
      id: newId('mai'),
      account_id: newId('acc'),
      address: 'ada@example.com',
      subject: 'A payment failed',
      body: 'Line one\nLine two\n',
      created_at: NOW,
    };
    await insertAccountMail(store(), mail);
    expect(await findAccountMail(store(), mail.id)).toEqual(mail);
    await deleteAccountMail(store(), mail.id);
    expect(await findAccountMail(store(), mail.id)).toBeNull();
  });

  test('keeps one end of the white-label host of an app', async () => {
    const ending = { app_id: newId('app'), ends_at: NOW, mails: 1 };
    await saveWhitelabelEnding(store(), ending);
    await saveWhitelabelEnding(store(), { ...ending, mails: 2 });
    expect(await findWhitelabelEnding(store(), ending.app_id)).toEqual({ ...ending, mails: 2 });
    await deleteWhitelabelEnding(store(), ending.app_id);
    expect(await findWhitelabelEnding(store(), ending.app_id)).toBeNull();
  });
}
