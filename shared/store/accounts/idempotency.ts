import type { LeaseId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Scope } from '../scope.ts';
import type { Tx } from '../store.ts';
import type { IdempotencyRow } from '../tables.ts';

/** The claim by which a request reserves an Idempotency-Key. */
export interface IdempotencyClaim {
  scope: Scope;
  key: string;
  fingerprint: string;
  lease_id: LeaseId;
  lease_until: Instant;
  now: Instant;
  /** Records older than this are ignored, even if they still exist. */
  keptSince: Instant;
}

/** `claimed` if the request may run. Otherwise the record of an earlier request with this key, which is completed or still running. */
export type IdempotencyState = { claimed: true } | { claimed: false; row: IdempotencyRow };

/**
 * Claims the key with `insert … on conflict do nothing`. A repeat of the request may take over an expired lease
 * (`docs/idempotency-and-rates.md`). Call this outside the transaction of the change, because other requests must see the claim while the
 * change is still being made.
 */
export async function claimIdempotencyKey(tx: Tx, claim: IdempotencyClaim): Promise<IdempotencyState> {
  const { scope, key, fingerprint, lease_id, lease_until, now } = claim;
  await tx.db
    .deleteFrom('idempotency')
    .where((eb) => eb.and({ ...scope, key }))
    .where('created_at', '<', claim.keptSince)
    .execute();
  const inserted = await tx.db
    .insertInto('idempotency')
    .values({ ...scope, key, fingerprint, lease_id, lease_until, status: null, body: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 1n) return { claimed: true };
  const taken = await tx.db
    .updateTable('idempotency')
    .set({ lease_id, lease_until })
    .where((eb) => eb.and({ ...scope, key, fingerprint }))
    .where('status', 'is', null)
    .where('lease_until', '<=', now)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 1n) return { claimed: true };
  const row = await tx.db
    .selectFrom('idempotency')
    .selectAll()
    .where((eb) => eb.and({ ...scope, key }))
    .executeTakeFirst();
  // Another request released the key between the two statements, so try to claim the key again.
  return row ? { claimed: false, row } : claimIdempotencyKey(tx, claim);
}

/** Extends the lease of a running request. @returns false if the claim is completed, released or lost. */
export async function renewIdempotencyKey(
  tx: Tx,
  claim: IdempotencyClaim,
  leaseUntil: Instant,
): Promise<boolean> {
  const result = await tx.db
    .updateTable('idempotency')
    .set({ lease_until: leaseUntil })
    .where((eb) => eb.and({ ...claim.scope, key: claim.key, lease_id: claim.lease_id }))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Stores the response of a request. Call this in the transaction of the request's change.
 * @returns false if the request lost its lease. The transaction must then not commit.
 */
export async function completeIdempotencyKey(
  tx: Tx,
  claim: IdempotencyClaim,
  answer: { status: number; body: string | null },
): Promise<boolean> {
  const result = await tx.db
    .updateTable('idempotency')
    .set({ ...answer, lease_id: null })
    .where((eb) => eb.and({ ...claim.scope, key: claim.key, lease_id: claim.lease_id }))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Releases the key of a request that changed nothing. */
export async function releaseIdempotencyKey(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  await tx.db
    .deleteFrom('idempotency')
    .where((eb) => eb.and({ ...claim.scope, key: claim.key, lease_id: claim.lease_id }))
    .execute();
}

/** Releases every key whose request has no response yet. Call this only if the process that ran these requests has ended. */
export async function releaseAllIdempotencyKeys(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('idempotency').where('status', 'is', null).execute();
}
