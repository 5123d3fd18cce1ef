import { ServiceError } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { providerOf } from '../billing/billing-provider.ts';
import {
  forEachBilledAccount,
  type ReplayedEvent,
  replayBillingEvent,
  syncCustomer,
} from '../billing/sync-customer.ts';
import type { Context } from '../context.ts';
import { withAudit } from './with-audit.ts';

/**
 * Reads the state of an account's customer from the billing provider and applies it to the account.
 * @throws ServiceError `not_found` if the account has no customer.
 */
export async function syncAccount(context: Context, actor: string, id: AccountId): Promise<void> {
  providerOf(context);
  await record(context, actor, { action: 'billing.sync', subject: id });
  if ((await syncCustomer(context, id)) !== null) return;
  throw new ServiceError('not_found', {
    message: `${id} has no customer at the billing provider.`,
    fix: 'The account gets one when it adds a card.',
  });
}

export interface SyncedAccounts {
  synced: number;
  /** Accounts whose state could not be read, with the reason. */
  failed: { account_id: AccountId; message: string }[];
}

/** Reads the state of every customer and applies it to the account. If this fails for one account, continues with the others. */
export async function syncAllAccounts(context: Context, actor: string): Promise<SyncedAccounts> {
  providerOf(context);
  await record(context, actor, { action: 'billing.sync', subject: 'all' });
  const done: SyncedAccounts = { synced: 0, failed: [] };
  await forEachBilledAccount(context, async (id) => {
    try {
      await syncCustomer(context, id);
      done.synced += 1;
    } catch (error) {
      done.failed.push({ account_id: id, message: error instanceof Error ? error.message : String(error) });
    }
  });
  return done;
}

/** Processes an event of the billing provider again. @throws ServiceError `not_found`. */
export async function replayEvent(context: Context, actor: string, eventId: string): Promise<ReplayedEvent> {
  providerOf(context);
  await record(context, actor, { action: 'billing.replay', subject: eventId });
  return replayBillingEvent(context, eventId);
}

/** Writes the audit entry of an action that does not fit into one transaction. Call this before the action. */
async function record(
  context: Context,
  actor: string,
  entry: { action: string; subject: string },
): Promise<void> {
  await withAudit(context, { actor, ...entry }, async () => undefined);
}
