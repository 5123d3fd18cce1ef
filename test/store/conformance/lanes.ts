import { expect, test } from 'vitest';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import {
  claimLane,
  dropLaneLeases,
  ensureLane,
  holdsLane,
  nextLaneDue,
  releaseLane,
  releaseLanes,
  type ScheduledLane,
  unscheduleLanes,
  wakeLane,
} from '../../../shared/store/events/lanes.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import type { LaneRow } from '../../../shared/store/tables.ts';
import { claimDue } from '../events/lane-claims.ts';
import { NOW, newId } from '../rows.ts';

const LEASE_MS = 30_000;

/** Returns a lane's lease and due time. */
export function laneTests(store: () => Store): void {
  const read = (domainId: DomainId): Promise<LaneRow | undefined> =>
    store().db.selectFrom('lanes').selectAll().where('domain_id', '=', domainId).executeTakeFirst();
  const dueAt = async (domainId: DomainId) => (await read(domainId))?.due_at;
  const lease = (now = NOW) => ({ lease_id: newId('lea'), lease_until: now + LEASE_MS, now });
  const silence = (appId: AppId, limit = 9, after: ScheduledLane | null = null) =>
    inTransaction(store(), (tx) => unscheduleLanes(tx, appId, limit, after));
  const aLane = (): [DomainId, AppId] => [newId('dom'), newId('app')];

  test('creates a lane that is not due, and changes nothing if it exists', async () => {
    const [domain_id, app_id] = aLane();
    await ensureLane(store(), domain_id, app_id);
    expect(await read(domain_id)).toEqual({ domain_id, app_id, due_at: null, lease_id: null });
    expect(await claimDue(store(), Number.MAX_SAFE_INTEGER)).toEqual([]);
    await wakeLane(store(), domain_id, app_id, NOW);
    await ensureLane(store(), domain_id, app_id);
    expect(await dueAt(domain_id)).toBe(NOW);
  });

  test('waking creates the lane or brings it forward, and never postpones it', async () => {
    const [domain_id, app_id] = aLane();
    for (const [woken_for, due_at] of [
      [NOW + 5, NOW + 5],
      [NOW + 9, NOW + 5],
      [NOW + 5, NOW + 5],
      [NOW + 1, NOW + 1],
    ] as const) {
      await wakeLane(store(), domain_id, app_id, woken_for);
      expect(await dueAt(domain_id)).toBe(due_at);
    }
  });

  test('wakes an existing lane that is not due', async () => {
    const [domain_id, app_id] = aLane();
    await ensureLane(store(), domain_id, app_id);
    await wakeLane(store(), domain_id, app_id, NOW + 5);
    expect(await dueAt(domain_id)).toBe(NOW + 5);
  });

  test('waking leaves the lease and time of a leased lane unchanged, so that no other worker takes it', async () => {
    const [domain_id, app_id] = aLane();
    await wakeLane(store(), domain_id, app_id, NOW);
    const [lane] = await claimDue(store(), NOW);
    const leased = await read(domain_id);
    await wakeLane(store(), domain_id, app_id, NOW + 1);
    expect(await read(domain_id)).toEqual(leased);
    expect(leased?.lease_id).toBe(lane?.lease_id);
    expect(await claimDue(store(), NOW + 1)).toEqual([]);
  });

  test('claims a leased lane only after the lease has ended', async () => {
    const [domain_id, app_id] = aLane();
    await wakeLane(store(), domain_id, app_id, NOW);
    const [first] = await claimDue(store(), NOW, { lease_until: NOW + LEASE_MS });
    expect(first).toMatchObject({ domain_id, app_id });
    expect(await claimDue(store(), NOW + LEASE_MS - 1)).toEqual([]);
    const [second] = await claimDue(store(), NOW + LEASE_MS);
    expect(second).toMatchObject({ domain_id, app_id });
    expect(second?.lease_id).not.toBe(first?.lease_id);
  });

  test('a worker that lost the lease neither holds nor releases the lane', async () => {
    const [domain_id, app_id] = aLane();
    await wakeLane(store(), domain_id, app_id, NOW);
    const [lost] = await claimDue(store(), NOW);
    const [held] = await claimDue(store(), NOW + LEASE_MS);
    if (lost === undefined || held === undefined) throw new Error('The lane was not claimed');
    expect(await holdsLane(store(), lost)).toBe(false);
    expect(await holdsLane(store(), held)).toBe(true);
    await releaseLane(store(), lost, null);
    expect(await read(domain_id)).toMatchObject({ due_at: NOW + 2 * LEASE_MS, lease_id: held.lease_id });
  });

  test.each([NOW + 3, null])('a released lane is due at %s, and can be claimed then', async (dueAt) => {
    const [domain_id, app_id] = aLane();
    await wakeLane(store(), domain_id, app_id, NOW);
    const [lane] = await claimDue(store(), NOW);
    if (lane === undefined) throw new Error('The lane was not claimed');
    await releaseLane(store(), lane, dueAt);
    expect(await read(domain_id)).toEqual({ domain_id, app_id, due_at: dueAt, lease_id: null });
    expect(await holdsLane(store(), lane)).toBe(false);
    expect(await claimDue(store(), NOW + 2)).toEqual([]);
    expect(await claimDue(store(), NOW + 3)).toHaveLength(dueAt === null ? 0 : 1);
  });

  test('releases many lanes at once, except those whose lease was lost', async () => {
    const appId = newId('app');
    const ids = [newId('dom'), newId('dom'), newId('dom')] as const;
    for (const id of ids) await wakeLane(store(), id, appId, NOW);
    const lanes = await claimDue(store(), NOW);
    const lost = { domain_id: ids[2], lease_id: newId('lea') };
    const mine = [...lanes.filter(({ domain_id }) => domain_id !== lost.domain_id), lost];
    await releaseLanes(
      store(),
      mine.map((lane, i) => ({ ...lane, due_at: i === 0 ? null : NOW + i })),
    );
    expect(await Promise.all(ids.map(dueAt))).toEqual([null, NOW + 1, NOW + LEASE_MS]);
    expect((await read(ids[1]))?.lease_id).toBeNull();
    await releaseLanes(store(), []);
  });

  test('a redelivery takes a free lane, due or not, and one whose lease has ended', async () => {
    const [domain_id, app_id] = aLane();
    expect(await claimLane(store(), domain_id, lease())).toBe(false);
    await ensureLane(store(), domain_id, app_id);
    const first = lease();
    expect(await claimLane(store(), domain_id, first)).toBe(true);
    expect(await holdsLane(store(), { domain_id, ...first })).toBe(true);
    expect(await claimLane(store(), domain_id, lease(NOW + LEASE_MS - 1))).toBe(false);
    expect(await holdsLane(store(), { domain_id, ...first })).toBe(true);
    expect(await claimLane(store(), domain_id, lease(NOW + LEASE_MS))).toBe(true);
    expect(await holdsLane(store(), { domain_id, ...first })).toBe(false);
  });

  test('no worker takes a lane that a redelivery holds', async () => {
    const [domain_id, app_id] = aLane();
    await wakeLane(store(), domain_id, app_id, NOW);
    expect(await claimLane(store(), domain_id, lease())).toBe(true);
    expect(await claimDue(store(), NOW)).toEqual([]);
  });

  test('one of 20 concurrent redeliveries takes a lane', async () => {
    const [domain_id, app_id] = aLane();
    await ensureLane(store(), domain_id, app_id);
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => inTransaction(store(), (tx) => claimLane(tx, domain_id, lease()))),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('silences an app except for leased lanes, and no other app', async () => {
    const [leased, app_id] = aLane();
    const [waiting, other_app] = aLane();
    const [due, idle] = [newId('dom'), newId('dom')];
    await wakeLane(store(), leased, app_id, NOW);
    await claimDue(store(), NOW);
    await wakeLane(store(), due, app_id, NOW);
    await ensureLane(store(), idle, app_id);
    await wakeLane(store(), waiting, other_app, NOW);
    expect(await silence(app_id)).toEqual([
      { domain_id: due, due_at: NOW },
      { domain_id: leased, due_at: NOW + LEASE_MS },
    ]);
    expect(await dueAt(leased)).toBe(NOW + LEASE_MS);
    expect(await dueAt(due)).toBeNull();
    expect(await dueAt(waiting)).toBe(NOW);
  });

  test('silences an app in batches, in the order in which its lanes are due, each lane once', async () => {
    const appId = newId('app');
    const lanes = [3, 1, 2, 1].map((later) => ({ domain_id: newId('dom'), due_at: NOW + later }));
    for (const { domain_id, due_at } of lanes) await wakeLane(store(), domain_id, appId, due_at);
    const [third, first, , second] = lanes;
    // A leased lane stays on the schedule, and must not be returned again.
    await inTransaction(store(), (tx) => claimLane(tx, lanes[2]?.domain_id ?? newId('dom'), lease()));
    expect(await silence(appId, 2)).toEqual([first, second]);
    expect(await silence(appId, 2, second)).toMatchObject([third, { domain_id: lanes[2]?.domain_id }]);
    const [last] = await silence(appId, 1);
    expect(last?.domain_id).toBe(lanes[2]?.domain_id);
    expect(await silence(appId, 2, last)).toEqual([]);
  });

  test('the next due lane is the earliest free one', async () => {
    const [first, app_id] = aLane();
    const second = newId('dom');
    expect(await nextLaneDue(store())).toBeNull();
    await ensureLane(store(), newId('dom'), app_id);
    expect(await nextLaneDue(store())).toBeNull();
    await wakeLane(store(), first, app_id, NOW);
    await wakeLane(store(), second, app_id, NOW + 2 * LEASE_MS);
    expect(await nextLaneDue(store())).toBe(NOW);
    const [lane] = await claimDue(store(), NOW);
    if (lane === undefined) throw new Error('The lane was not claimed');
    expect(await nextLaneDue(store())).toBe(NOW + 2 * LEASE_MS);
    await releaseLane(store(), lane, NOW + 1);
    expect(await nextLaneDue(store())).toBe(NOW + 1);
  });

  test('dropping all leases makes leased lanes due now and leaves the rest', async () => {
    const [leased, app_id] = aLane();
    const [later, idle] = [newId('dom'), newId('dom')];
    await wakeLane(store(), leased, app_id, NOW);
    await claimDue(store(), NOW);
    await wakeLane(store(), later, app_id, NOW + 9);
    await ensureLane(store(), idle, app_id);
    await dropLaneLeases(store(), NOW + 1);
    expect(await read(leased)).toEqual({ domain_id: leased, app_id, due_at: NOW + 1, lease_id: null });
    expect(await dueAt(later)).toBe(NOW + 9);
    expect(await dueAt(idle)).toBeNull();
  });
}
