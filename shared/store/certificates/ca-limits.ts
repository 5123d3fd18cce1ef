import type { Instant } from '../../core/instant.ts';
import type { Store } from '../store.ts';

/**
 * Limits of certificate authorities that all nodes keep together, each one instant: until when nothing may be asked, or, for a
 * bucket of tokens, when the bucket will be full again (GCRA). A row that has passed says nothing.
 */
export interface TokenBucket {
  name: string;
  limit: number;
  window_ms: number;
}

/**
 * Takes a token.
 * @param kept the part of the bucket that is not for this one, 0 to 1.
 * @returns null where there was one, else when there will be.
 */
export async function takeToken(
  store: Store,
  bucket: TokenBucket,
  now: Instant,
  kept = 0,
): Promise<Instant | null> {
  const { token_ms, room_ms } = measure(bucket, kept);
  const taken = await store.db
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
  return tokenAt(store, bucket, now, kept);
}

/** Null where there is a token now, else when there will be; takes none. */
export async function tokenAt(
  store: Store,
  bucket: TokenBucket,
  now: Instant,
  kept = 0,
): Promise<Instant | null> {
  const { token_ms, room_ms } = measure(bucket, kept);
  const full_at = (await passesAt(store, [bucket.name], now)) ?? now;
  const free_at = full_at - room_ms + token_ms;
  return free_at > now ? free_at : null;
}

/** How long one token stands for, and how much of that may be taken ahead. */
function measure({ window_ms, limit }: TokenBucket, kept: number): { token_ms: number; room_ms: number } {
  const token_ms = Math.ceil(window_ms / limit);
  return { token_ms, room_ms: Math.max(token_ms, Math.floor(window_ms * (1 - kept))) };
}

/** Nothing by this name may be asked until then; an earlier instant than is known changes nothing. */
export async function waitUntil(store: Store, name: string, passes_at: Instant): Promise<void> {
  await store.db
    .insertInto('ca_limits')
    .values({ name, passes_at })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ passes_at }).where('ca_limits.passes_at', '<', passes_at),
    )
    .execute();
}

/** When all of these have passed; null where they have. */
export async function passesAt(
  store: Store,
  names: readonly string[],
  now: Instant,
): Promise<Instant | null> {
  const row = await store.db
    .selectFrom('ca_limits')
    .select((eb) => eb.fn.max('passes_at').as('passes_at'))
    .where('name', 'in', names)
    .where('passes_at', '>', now)
    .executeTakeFirst();
  return row?.passes_at ?? null;
}

/** What has passed says nothing. */
export async function dropPassed(store: Store, now: Instant): Promise<void> {
  await store.db.deleteFrom('ca_limits').where('passes_at', '<=', now).execute();
}
