import type { Instant } from '../../core/instant.ts';
import type { Store } from '../store.ts';

export interface RateWindow {
  /** The name of the counter, e.g. `verify:dom_…`. */
  name: string;
  limit: number;
  window_ms: number;
}

/**
 * Counts one use within a window that all nodes share.
 * @returns null if it is within the limit, else the milliseconds until the window opens again.
 */
export async function countUse(
  store: Store,
  { name, limit, window_ms }: RateWindow,
  now: Instant,
): Promise<number | null> {
  const counted = await store.db
    .insertInto('rate_windows')
    .values({ name, opened_at: now, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => {
          const over = eb('rate_windows.opened_at', '<=', now - window_ms);
          return {
            opened_at: eb.case().when(over).then(now).else(eb.ref('rate_windows.opened_at')).end(),
            used: eb
              .case()
              .when(over)
              .then(1)
              .else(eb('rate_windows.used', '+', 1))
              .end(),
          };
        })
        .where((eb) =>
          eb.or([eb('rate_windows.opened_at', '<=', now - window_ms), eb('rate_windows.used', '<', limit)]),
        ),
    )
    .executeTakeFirst();
  if (counted.numInsertedOrUpdatedRows === 1n) return null;
  const row = await store.db
    .selectFrom('rate_windows')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return Math.max(1, row.opened_at + window_ms - now);
}
