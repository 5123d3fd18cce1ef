import { BUDGETS, type BudgetNameOf } from '../../core/budgets.ts';
import type { Instant } from '../../core/instant.ts';
import { autocommit, isTransaction, type Store, type Tx } from '../store.ts';

/** Uses within a sliding window, which all nodes count together. */
export interface SlidingWindow {
  /** The name of the counter, e.g. `verify:dom_…`. */
  name: string;
  limit: number;
  windowMs: number;
}

/** The result of counting a use: how many the window then has. If the use is refused, `waitMs` says when there is room again. */
export type Counted = { ok: true; used: number } | { ok: false; waitMs: number };

/**
 * Counts one use of a budget by a party. A refused use is not counted.
 * @param more number of uses that the party has beyond the budget's limit.
 * @returns null if it is within the limit, else the milliseconds until there is room.
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
 * Counts one use of something that several parties share, such as a mailbox.
 * @returns how long the party has to wait if it has used up its own limit. `isOpen` is false if the parties together have used up theirs.
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

/** If the limit is higher, the window is divided into this many parts. The uses of a part count as made at the latest of them. */
const TIMES_MAX = 100;

/** The times of uses, oldest first, with the number of uses at each. */
type Uses = [at: Instant, count: number][];

/** Counts a use, unless the window that ends now is full. Two counts at once never exceed the limit: the second sees the first. */
export async function countInWindow(
  store: Store,
  { name, limit, windowMs }: SlidingWindow,
  now: Instant,
): Promise<Counted> {
  for (;;) {
    const query = store.db.selectFrom('rate_windows').select('uses').where('name', '=', name);
    // The lock makes other transactions wait here. Without it, they would wait at the update and then have to read the row again.
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

/** Replaces the row if it is still as it was read. @param before undefined if there was no row. */
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

/** Returns the time whose uses have to leave the window before there is room. @param over number of uses beyond the limit. */
function freeAt(uses: Uses, over: number): Instant {
  let left = over;
  for (const [at, count] of uses) {
    left -= count;
    if (left < 0) return at;
  }
  return uses.at(-1)?.[0] ?? 0;
}
