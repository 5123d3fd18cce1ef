import { BUDGETS, type BudgetNameOf } from '../../core/budgets.ts';
import type { Instant } from '../../core/instant.ts';
import { autocommit, isTransaction, type Store, type Tx } from '../store.ts';

/** A limit on uses within a sliding window. All nodes share the count. */
export interface SlidingWindow {
  /** The name of the counter, e.g. `verify:dom_…`. */
  name: string;
  limit: number;
  windowMs: number;
}

/**
 * The result of counting a use: the number of uses in the window, including this one. If the use is refused, `waitMs` is the time until a
 * use is allowed again.
 */
export type Counted = { ok: true; used: number } | { ok: false; waitMs: number };

/**
 * Counts one use of a rate limit of `BUDGETS` by a party, such as an app. Does not count a use that it refuses.
 * @param more number of uses that this party is allowed beyond the limit of the budget.
 * @returns null if the use is within the limit, else the milliseconds until a use is allowed again.
 */
export async function countUse(
  store: Store,
  name: BudgetNameOf<'window'>,
  party: string,
  now: Instant,
  more = 0,
): Promise<number | null> {
  const { limit, windowMs } = BUDGETS[name];
  const window = { name: `${name}:${party}`, limit: limit + more, windowMs };
  const counted = await countInWindow(store, window, now);
  return counted.ok ? null : counted.waitMs;
}

/**
 * Counts a party's use of a subject that several parties share, such as a mailbox.
 * @returns `waitMs`, how long the party has to wait if it has used up its own limit, else null. `isOpen` is false if all parties together
 * have used up the shared limit.
 */
export async function countSharedUse(
  store: Store,
  name: BudgetNameOf<'shared'>,
  { subject, party }: { subject: string; party: string },
  now: Instant,
): Promise<{ waitMs: number | null; isOpen: boolean }> {
  const { each, limit, firsts, windowMs } = BUDGETS[name];
  const ofParty = { name: `${name}:${subject} ${party}`, limit: each, windowMs };
  const own = await countInWindow(store, ofParty, now);
  if (!own.ok) return { waitMs: own.waitMs, isOpen: false };
  const together = await countInWindow(store, { name: `${name}:${subject}`, limit, windowMs }, now);
  if (together.ok || own.used > 1) return { waitMs: null, isOpen: together.ok };
  const ofFirsts = { name: `${name}:firsts:${subject}`, limit: firsts, windowMs };
  return { waitMs: null, isOpen: (await countInWindow(store, ofFirsts, now)).ok };
}

/**
 * The maximum number of times to store for a window. If the limit is higher, the window is divided into this many parts, and each part
 * stores only the time of its latest use.
 */
const TIMES_MAX = 100;

/** The times of uses, oldest first, with the number of uses at each time. */
type Uses = [at: Instant, count: number][];

/**
 * Counts a use, unless the window that ends now is full. Two simultaneous calls never exceed the limit, because the second call reads the
 * use of the first.
 */
export async function countInWindow(
  store: Store,
  { name, limit, windowMs }: SlidingWindow,
  now: Instant,
): Promise<Counted> {
  for (;;) {
    const query = store.db.selectFrom('rate_windows').select('uses').where('name', '=', name);
    // The lock makes other transactions wait here. Without the lock, they would wait at the update and then have to read the row again.
    const isLocked = isTransaction(store) && store.flags.rowLocks;
    const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst();
    const uses = usesWithin(row?.uses ?? '[]', now - windowMs);
    const used = uses.reduce((sum, [, count]) => sum + count, 0);
    if (used >= limit) return { ok: false, waitMs: Math.max(1, freeAt(uses, used - limit) + windowMs - now) };
    const partMs = limit > TIMES_MAX ? windowMs / TIMES_MAX : 1;
    const next = { opened_at: now, used: used + 1, uses: JSON.stringify(withUse(uses, now, partMs)) };
    if (await replace(autocommit(store), name, row, next)) return { ok: true, used: next.used };
  }
}

/** Replaces the row if nobody has changed it since `before` was read. @param before the row as it was read; undefined if there was none. */
async function replace(
  { db }: Tx,
  name: string,
  before: { uses: string } | undefined,
  next: { opened_at: Instant; used: number; uses: string },
): Promise<boolean> {
  if (before === undefined) {
    const insert = db.insertInto('rate_windows').values({ name, ...next });
    const added = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    return added.numInsertedOrUpdatedRows === 1n;
  }
  const update = db.updateTable('rate_windows').set(next).where('name', '=', name);
  return (await update.where('uses', '=', before.uses).executeTakeFirst()).numUpdatedRows === 1n;
}

function usesWithin(stored: string, since: Instant): Uses {
  return (JSON.parse(stored) as Uses).filter(([at]) => at > since);
}

function withUse(uses: Uses, now: Instant, partMs: number): Uses {
  const last = uses.at(-1);
  if (last === undefined || Math.floor(now / partMs) > Math.floor(last[0] / partMs))
    return [...uses, [now, 1]];
  return [...uses.slice(0, -1), [Math.max(now, last[0]), last[1] + 1]];
}

/** Returns the time of the last use that must leave the window before a new use is allowed. @param over number of uses beyond the limit. */
function freeAt(uses: Uses, over: number): Instant {
  let left = over;
  for (const [at, count] of uses) {
    left -= count;
    if (left < 0) return at;
  }
  return uses.at(-1)?.[0] ?? 0;
}
