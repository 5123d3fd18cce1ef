import type { LeaseId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import type { IdempotencyRow } from '../tables.ts';

/** One use of an Idempotency-Key. */
export interface IdempotencyClaim {
  scope: Scope;
  key: string;
  fingerprint: string;
  lease_id: LeaseId;
  lease_until: Instant;
  now: Instant;
  /** A record from before this is as good as gone, whether it was deleted yet or not. */
  kept_since: Instant;
}

/** `claimed`: go on. Otherwise what stands there: a decided request, or one in flight. */
export type IdempotencyState = { claimed: true } | { claimed: false; row: IdempotencyRow };

/**
 * Claims the key by `insert … on conflict do nothing`; a lease that has run out may be taken over by the same request
 * (`docs/idempotency-and-rates.md`). Call it outside the effect's transaction: others must see the claim at once.
 */
export async function claimIdempotencyKey(store: Store, claim: IdempotencyClaim): Promise<IdempotencyState> {
  const { scope, key, fingerprint, lease_id, lease_until, now } = claim;
  await store.db
    .deleteFrom('idempotency')
    .where((eb) => eb.and({ ...scope, key }))
    .where('created_at', '<', claim.kept_since)
    .execute();
  const inserted = await store.db
    .insertInto('idempotency')
    .values({ ...scope, key, fingerprint, lease_id, lease_until, status: null, body: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return { claimed: true };
  const taken = await store.db
    .updateTable('idempotency')
    .set({ lease_id, lease_until })
    .where((eb) => eb.and({ ...scope, key, fingerprint }))
    .where('status', 'is', null)
    .where('lease_until', '<=', now)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 1n) return { claimed: true };
  const row = await store.db
    .selectFrom('idempotency')
    .selectAll()
    .where((eb) => eb.and({ ...scope, key }))
    .executeTakeFirst();
  // Released between the two statements: the caller's turn after all.
  return row ? { claimed: false, row } : claimIdempotencyKey(store, claim);
}

/** Extends the lease of a running request. @returns false if the claim is completed, released or lost. */
export async function renewIdempotencyKey(
  store: Store,
  claim: IdempotencyClaim,
  leaseUntil: Instant,
): Promise<boolean> {
  const result = await store.db
    .updateTable('idempotency')
    .set({ lease_until: leaseUntil })
    .where((eb) => eb.and({ ...claim.scope, key: claim.key, lease_id: claim.lease_id }))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Stores the answer, in the transaction of the effect. @returns false for one that lost its lease: it must not commit. */
export async function completeIdempotencyKey(
  store: Store,
  claim: IdempotencyClaim,
  answer: { status: number; body: string | null },
): Promise<boolean> {
  const result = await store.db
    .updateTable('idempotency')
    .set({ ...answer, lease_id: null })
    .where((eb) => eb.and({ ...claim.scope, key: claim.key, lease_id: claim.lease_id }))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Nothing was decided: the key is free again. */
export async function releaseIdempotencyKey(store: Store, claim: IdempotencyClaim): Promise<void> {
  await store.db
    .deleteFrom('idempotency')
    .where((eb) => eb.and({ ...claim.scope, key: claim.key, lease_id: claim.lease_id }))
    .execute();
}

/** Releases every key whose request is under way. Call it only when the process that ran those requests is known to be gone. */
export async function releaseAllIdempotencyKeys(store: Store): Promise<void> {
  await store.db.deleteFrom('idempotency').where('status', 'is', null).execute();
}
