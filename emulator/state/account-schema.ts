import * as z from 'zod';
import type { Account } from '../../shared/core/accounts/account.ts';
import { PLAN_NAMES } from '../../shared/core/accounts/plan.ts';
import type { AppId } from '../../shared/core/ids.ts';
import type { Context } from '../../shared/operations/context.ts';
import { changeTerms } from '../../shared/operations/domains/change-terms.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** The account fields that the emulator lets a test set. In the service, billing and the operator set them. */
export const accountSchema = z.strictObject({
  plan: z.enum(PLAN_NAMES).optional(),
  trial_ends_at: instantSchema.nullable().optional(),
  promotional: z.boolean().optional(),
  card_on_file: z.boolean().optional(),
  suspended: z.boolean().optional(),
  created_at: instantSchema.optional(),
});

/** Changes the account of an app. Each given field replaces the current value. */
export async function changeAppAccount(
  tx: Context,
  appId: AppId,
  change: z.output<typeof accountSchema>,
): Promise<Account> {
  const { account_id } = await getApp(tx.store, appId);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return changeTerms(tx, account_id, given);
}
