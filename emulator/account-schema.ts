import * as z from 'zod';
import type { Account } from '../shared/core/account.ts';
import { ServiceError } from '../shared/core/errors.ts';
import type { AppId } from '../shared/core/ids.ts';
import { PLAN_NAMES } from '../shared/core/plan.ts';
import type { Context } from '../shared/operations/context.ts';
import { findAccount, updateAccount } from '../shared/store/accounts.ts';
import { getApp } from '../shared/store/apps.ts';

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** What of an account can be set from outside: what billing and the operator do to it elsewhere. */
export const accountSchema = z.strictObject({
  plan: z.enum(PLAN_NAMES).optional(),
  trial_ends_at: instantSchema.nullable().optional(),
  promotional: z.boolean().optional(),
  card_on_file: z.boolean().optional(),
  suspended: z.boolean().optional(),
  created_at: instantSchema.optional(),
});
export type AccountChange = z.output<typeof accountSchema>;

/** The account of an app, with what is given of it changed. @throws ServiceError `not_found`. */
export async function changeAccount(tx: Context, app_id: AppId, change: AccountChange): Promise<Account> {
  const app = await getApp(tx.store, app_id);
  const account = await findAccount(tx.store, app.account_id);
  if (account === null) throw new ServiceError('not_found');
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed: Account = { ...account, ...given };
  await updateAccount(tx.store, changed);
  tx.notices.publish({ kind: 'credentials', app_id });
  return changed;
}
