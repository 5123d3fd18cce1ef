import type { AccountId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store } from '../store.ts';

export interface TakenEvent {
  id: string;
  type: string;
  account_id: AccountId;
  received_at: Instant;
}

/** Records an event of the billing provider. @returns false if it was recorded before. */
export async function recordBillingEvent(store: Store, event: TakenEvent): Promise<boolean> {
  const result = await store.db
    .insertInto('billing_events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
