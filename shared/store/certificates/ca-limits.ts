import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/**
 * A token bucket that all nodes share. `ca_limits` stores one time for each limit: when the bucket will be full again (GCRA), or when a
 * wait ends. A row whose time has passed has no effect.
 */
export interface TokenBucket {
  name: string;
  limit: number;
  window_ms: number;
}

/**
 * Takes a token.
 * @param kept the fraction of the bucket that is reserved for other uses, 0 to 1.
 * @returns null if a token was taken, else when the next token will be available.
 */
export async function takeToken(
  tx: Tx,
  bucket: TokenBucket,
  now: Instant,
  kept = 0,
): Promise<Instant | null> {
  const { token_ms, room_ms } = measure(bucket, kept);
  const taken = await tx.db
    .insertInto('ca_limits')
    .values({ name: bucket.name, passes_at: now + token_ms })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({
          passes_at: eb
            .case()
            .when('ca_limits.passes_at', '<=', now)
            .then(now + token_ms)
            .else(eb('ca_limits.passes_at', '+', token_ms))
            .end(),
        }))
        .where('ca_limits.passes_at', '<=', now + room_ms - token_ms),
    )
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 1n) return null;
  return tokenAt(tx, bucket, now, kept);
}

/** Returns null if a token is available now, else when the next token will be available. Takes no token. */
export async function tokenAt(
  store: Store,
  bucket: TokenBucket,
  now: Instant,
  kept = 0,
): Promise<Instant | null> {
  return nextToken(await findLimits(store, [bucket.name], now), bucket, now, kept);
}

/**
 * Returns when a bucket will have a token, or null if a token is available now.
 * @param limits the result of `findLimits` for the bucket's name.
 */
export function nextToken(
  limits: ReadonlyMap<string, Instant>,
  bucket: TokenBucket,
  now: Instant,
  kept = 0,
): Instant | null {
  const { token_ms, room_ms } = measure(bucket, kept);
  const fullAt = limits.get(bucket.name) ?? now;
  const freeAt = fullAt - room_ms + token_ms;
  return freeAt > now ? freeAt : null;
}

/** Returns how long one token takes to refill, and how far in the future `passes_at` may be. */
function measure({ window_ms, limit }: TokenBucket, kept: number): { token_ms: number; room_ms: number } {
  const tokenMs = Math.ceil(window_ms / limit);
  return { token_ms: tokenMs, room_ms: Math.max(tokenMs, Math.floor(window_ms * (1 - kept))) };
}

/** Starts a wait with this name, or extends it. If the stored wait ends later than `passesAt`, nothing changes. */
export async function waitUntil(tx: Tx, name: string, passesAt: Instant): Promise<void> {
  await tx.db
    .insertInto('ca_limits')
    .values({ name, passes_at: passesAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ passes_at: passesAt })
        .where('ca_limits.passes_at', '<', passesAt),
    )
    .execute();
}

/** Returns the stored times of these limits, by name. Leaves out times that have passed. */
export async function findLimits(
  store: Store,
  names: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await store.db
    .selectFrom('ca_limits')
    .selectAll()
    .where('name', 'in', names)
    .where('passes_at', '>', now)
    .execute();
  return new Map(rows.map(({ name, passes_at }) => [name, passes_at]));
}

/** Deletes rows whose time has passed. */
export async function deletePassedLimits(tx: Tx, now: Instant): Promise<void> {
  await tx.db.deleteFrom('ca_limits').where('passes_at', '<=', now).execute();
}
