import { expect, test } from 'vitest';
import type { AppId } from '../../../shared/core/ids.ts';
import { currentMark, type Mark } from '../../../shared/store/commit-order.ts';
import { insertRouteChanges, listRouteChanges } from '../../../shared/store/domains/route-changes.ts';
import { prune } from '../../../shared/store/prune.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOTHING, NOW, newId } from '../rows.ts';

export function routeChangeTests(store: () => Tx): void {
  const name = () => `${newId('dom')}.com`;
  const mark = () => currentMark(store(), 'route_changes');

  test('lists each route and app that changed since a mark, once', async () => {
    const [before, one, two, appId] = [name(), name(), name(), newId('app') as AppId];
    await insertRouteChanges(store(), [{ hostname: before, app_id: null }], NOW);
    const begun = await mark();
    await insertRouteChanges(store(), [{ hostname: one, app_id: null }], NOW);
    const between = await mark();
    await inTransaction(store(), async (tx) => {
      await insertRouteChanges(tx, [{ hostname: two, app_id: null }], NOW);
      await insertRouteChanges(
        tx,
        [
          { hostname: null, app_id: appId },
          { hostname: two, app_id: null },
        ],
        NOW,
      );
    });
    await insertRouteChanges(store(), [], NOW);
    // Other tests write route changes at the same time, so this compares only the changes of this test.
    const listed = async (since: Mark) => {
      const { now, rows } = await listRouteChanges(store(), since, 100);
      const own = rows.filter(
        ({ hostname, app_id: app }) => [before, one, two].includes(`${hostname}`) || app === appId,
      );
      return { now, own };
    };
    const { now, own } = await listed(begun);
    expect(own).toHaveLength(3);
    expect(new Set(own)).toEqual(
      new Set([
        { hostname: one, app_id: null },
        { hostname: two, app_id: null },
        { hostname: null, app_id: appId },
      ]),
    );
    expect((await listed(between)).own).toHaveLength(2);
    expect((await listRouteChanges(store(), begun, 1)).rows).toHaveLength(1);
    expect((await listed(now)).own).toEqual([]);
  });

  test('lists later route changes also after all earlier ones were deleted', async () => {
    const [old, young] = [name(), name()];
    await insertRouteChanges(store(), [{ hostname: old, app_id: null }], 1);
    const begun = await mark();
    await prune(store(), { ...NOTHING, routeChanges: 2 });
    await insertRouteChanges(store(), [{ hostname: young, app_id: null }], NOW);
    const names = (await listRouteChanges(store(), begun, 100)).rows.map(({ hostname }) => hostname);
    expect(names).toContain(young);
    expect(names).not.toContain(old);
  });
}
