import { beforeEach, describe, expect, test } from 'vitest';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import type { DueApp } from '../../../shared/store/due-apps.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { claimDue } from '../events/lane-claims.ts';
import { NOW, newId } from '../rows.ts';
import { ensureLane, wakeLane } from '../writes.ts';

/** Tests that a claim takes due queues of events (lanes) fairly from many apps. */
export function laneFairnessTests(store: () => Tx): void {
  /** Adds a number of due event queues (lanes) to an app. The first queue is due last. */
  const wakeLanes = async (appId: AppId, count: number, dueAt = NOW): Promise<DomainId[]> => {
    const ids = Array.from({ length: count }, () => newId('dom'));
    for (const [i, id] of ids.entries()) await wakeLane(store(), id, appId, dueAt - i);
    return ids.toReversed();
  };
  const newApps = (count: number) => Array.from({ length: count }, () => newId('app'));

  test('finds every app with due lanes, and no other', async () => {
    const apps = newApps(30);
    for (const [i, appId] of apps.entries()) await wakeLanes(appId, 1 + (i % 3));
    const [later, idle] = [newId('app'), newId('app')];
    await wakeLanes(later, 3, NOW + 10);
    await ensureLane(store(), newId('dom'), idle);
    const claimed = await claimDue(store(), NOW);
    expect(new Set(claimed.map(({ app_id }) => app_id))).toEqual(new Set(apps));
    expect(claimed).toHaveLength(60);
    expect(new Set(claimed.map(({ lease_id }) => lease_id)).size).toBe(60);
  });

  test("claims an app's lanes in the order in which they became due", async () => {
    const [appId] = newApps(1) as [AppId];
    const dueOrder = await wakeLanes(appId, 5);
    expect((await claimDue(store(), NOW)).map(({ domain_id }) => domain_id)).toEqual(dueOrder);
  });

  test('claims as many lanes of each app as its share allows', async () => {
    const [full, busy, free] = newApps(3) as [AppId, AppId, AppId];
    for (const appId of [full, busy, free]) await wakeLanes(appId, 5);
    const room = new Map<string, number>([
      [full, 0],
      [busy, 2],
      [free, 9],
    ]);
    const claimed = await claimDue(store(), NOW, { roomOf: ({ app_id }) => room.get(app_id) ?? 0 });
    expect(claimed.map(({ app_id }) => app_id)).toEqual([busy, busy, free, free, free, free, free]);
  });

  test('treats a negative share as none', async () => {
    await wakeLanes(newId('app'), 2);
    expect(await claimDue(store(), NOW, { roomOf: () => -1 })).toEqual([]);
    expect(await claimDue(store(), NOW, { lanesMax: 0 })).toEqual([]);
  });

  test('claims no more lanes than one round may take', async () => {
    const apps = newApps(3);
    for (const appId of apps) await wakeLanes(appId, 4);
    const [a, b] = apps;
    const claimed = await claimDue(store(), NOW, { roomOf: () => 3, lanesMax: 5 });
    expect(claimed.map(({ app_id }) => app_id)).toEqual([a, a, a, b, b]);
  });

  test('an app with thousands of due lanes does not delay another', async () => {
    const [crowded, small] = newApps(2) as [AppId, AppId];
    const rows = Array.from({ length: 3000 }, () => ({
      domain_id: newId('dom'),
      app_id: crowded,
      due_at: NOW - 1000,
      lease_id: null,
    }));
    await store().db.insertInto('lanes').values(rows).execute();
    await wakeLanes(small, 1);
    const claimed = await claimDue(store(), NOW, { roomOf: () => 4, lanesMax: 5 });
    expect(claimed.map(({ app_id }) => app_id)).toEqual([crowded, crowded, crowded, crowded, small]);
  });

  describe.each([0, 700])('beside %i due lanes of an app without capacity', (crowd) => {
    const crowded = newId('app');
    const roomOf = ({ app_id }: DueApp) => (app_id === crowded ? 0 : 1);
    beforeEach(async () => {
      const lane = { app_id: crowded, due_at: NOW - 1000, lease_id: null };
      const rows = Array.from({ length: crowd }, () => ({ ...lane, domain_id: newId('dom') }));
      if (crowd > 0) await store().db.insertInto('lanes').values(rows).execute();
    });

    test.each([
      ['', [0, 1, 2, 3, 4]],
      [0, [1, 2, 3, 4, 0]],
      [2, [3, 4, 0, 1, 2]],
      [4, [0, 1, 2, 3, 4]],
      ['app_Z', [0, 1, 2, 3, 4]],
      ['app_~', [0, 1, 2, 3, 4]],
    ])('continues the search after app %s and then from the start, each app once', async (after, order) => {
      const apps = newApps(5);
      for (const appId of apps) await wakeLanes(appId, 1);
      const afterAppId = typeof after === 'number' ? (apps[after] ?? '') : after;
      const claimed = await claimDue(store(), NOW, { afterAppId, roomOf });
      expect(claimed.map(({ app_id }) => apps.indexOf(app_id))).toEqual(order);
    });

    test('skips an app whose lanes are all due later', async () => {
      const apps = newApps(5);
      for (const [i, appId] of apps.entries()) await wakeLanes(appId, 2, i % 2 === 0 ? NOW : NOW + 9);
      const claimed = await claimDue(store(), NOW, { roomOf });
      expect(claimed.map(({ app_id }) => apps.indexOf(app_id))).toEqual([0, 2, 4]);
    });
  });

  test('reaches every app in turn with two apps per round', async () => {
    const apps = newApps(5);
    for (const appId of apps) await wakeLanes(appId, 3);
    const turns: number[] = [];
    let afterAppId: string = '';
    for (let round = 0; round < 5; round++) {
      const claimed = await claimDue(store(), NOW, {
        appsMax: 2,
        roomOf: () => 1,
        afterAppId,
      });
      turns.push(...claimed.map(({ app_id }) => apps.indexOf(app_id)));
      afterAppId = claimed.at(-1)?.app_id ?? '';
    }
    expect(turns).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });

  test('20 concurrent claims share no lane and leave none', async () => {
    const apps = newApps(4);
    for (const appId of apps) await wakeLanes(appId, 25);
    const rounds = await Promise.all(
      Array.from({ length: 20 }, () => claimDue(store(), NOW, { roomOf: () => 3, lanesMax: 10 })),
    );
    const claimed = rounds.flat().map(({ domain_id }) => domain_id);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = (await claimDue(store(), NOW)).map(({ domain_id }) => domain_id);
    expect(new Set([...claimed, ...rest]).size).toBe(100);
    expect(claimed.length + rest.length).toBe(100);
  });
}
