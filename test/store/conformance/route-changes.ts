import { expect, test } from 'vitest';
import type { AppId } from '../../../shared/core/ids.ts';
import {
  deleteRouteChanges,
  insertRouteChanges,
  lastRouteChange,
  listRouteChanges,
  type RouteChange,
} from '../../../shared/store/domains/route-changes.ts';
import type { Store } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

export function routeChangeTests(store: () => Store): void {
  const name = () => `${newId('dom')}.com`;
  const list = (after: number, missing: number[] = [], limit = 100) =>
    listRouteChanges(store(), { after, missing, limit });

  test('numbers route changes in ascending order, and lists them after any of them', async () => {
    const before = await lastRouteChange(store());
    const [one, two, appId] = [name(), name(), newId('app') as AppId];
    await insertRouteChanges(store(), [{ hostname: one, app_id: null }], NOW);
    await insertRouteChanges(
      store(),
      [
        { hostname: null, app_id: appId },
        { hostname: two, app_id: null },
      ],
      NOW,
    );
    await insertRouteChanges(store(), [], NOW);
    // Other tests write changes at the same time, so only this test's own are compared.
    const own = (changes: readonly RouteChange[]) =>
      changes.filter(({ hostname, app_id: app }) => hostname === one || hostname === two || app === appId);
    const changes = own(await list(before));
    expect(changes).toMatchObject([
      { hostname: one, app_id: null },
      { hostname: null, app_id: appId },
      { hostname: two, app_id: null },
    ]);
    const [first, second, third] = changes.map(({ seq }) => seq) as [number, number, number];
    expect([first, second, third]).toEqual([first, second, third].toSorted((a, b) => a - b));
    expect(await lastRouteChange(store())).toBeGreaterThanOrEqual(third);
    expect(await list(before, [], 1)).toHaveLength(1);
    expect(own(await list(second))).toEqual(changes.slice(2));
    expect(own(await list(second, [first]))).toEqual([changes[0], changes[2]]);
  });

  test('deletes old route changes, and numbers later ones on', async () => {
    const old = name();
    const before = await lastRouteChange(store());
    await insertRouteChanges(store(), [{ hostname: old, app_id: null }], 1);
    const young = name();
    await insertRouteChanges(store(), [{ hostname: young, app_id: null }], NOW);
    await deleteRouteChanges(store(), 2);
    const left = (await list(before)).map(({ hostname }) => hostname);
    expect(left).toContain(young);
    expect(left).not.toContain(old);
  });
}
