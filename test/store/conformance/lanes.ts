import { expect, test } from 'vitest';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import {
  dropLaneLeases,
  lockLane,
  lockScheduledLanes,
  nextLaneDue,
  rescheduleFreeLane,
  type ScheduledLane,
  scheduleFreeLanes,
} from '../../../shared/store/events/lanes.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import type { LaneRow } from '../../../shared/store/tables.ts';
import { claimDue } from '../events/lane-claims.ts';
import { anEvent, NOW, newId } from '../rows.ts';
import { ensureLane, releaseLanes, wakeLane } from '../writes.ts';

const LEASE_MS = 30_000;

/** Tests the queues of events (lanes): waking, claiming and releasing. */
export function laneTests(store: () => Tx): void {
  const read = (domainId: DomainId): Promise<LaneRow | undefined> =>
    store()
      .db.selectFrom('lanes')
      .select(['domain_id', 'app_id', 'due_at', 'lease_id'])
      .where('domain_id', '=', domainId)
      .executeTakeFirst();
  const dueAt = async (domainId: DomainId) => (await read(domainId))?.due_at;
  const silence = (appId: AppId, limit = 9, after: ScheduledLane | null = null) =>
    inTransaction(store(), async (tx) => {
      const lanes = await lockScheduledLanes(tx, appId, limit, after);
      await scheduleFreeLanes(
        tx,
        lanes.map(({ domain_id }) => domain_id),
      );
      return lanes;
    });
  const aLane = (): [DomainId, AppId] => [newId('dom'), newId('app')];

  test('creates a lane that is not due, and changes nothing if it exists', async () => {
    const [domainId, appId] = aLane();
    await ensureLane(store(), domainId, appId);
    expect(await read(domainId)).toEqual({
      domain_id: domainId,
      app_id: appId,
      due_at: null,
      lease_id: null,
    });
    expect(await claimDue(store(), Number.MAX_SAFE_INTEGER)).toEqual([]);
    await wakeLane(store(), domainId, appId, NOW);
    await ensureLane(store(), domainId, appId);
    expect(await dueAt(domainId)).toBe(NOW);
  });

  test('waking creates the lane or brings it forward, and never postpones it', async () => {
    const [domainId, appId] = aLane();
    for (const [wokenFor, dueAtOf] of [
      [NOW + 5, NOW + 5],
      [NOW + 9, NOW + 5],
      [NOW + 5, NOW + 5],
      [NOW + 1, NOW + 1],
    ] as const) {
      await wakeLane(store(), domainId, appId, wokenFor);
      expect(await dueAt(domainId)).toBe(dueAtOf);
    }
  });

  test('wakes an existing lane that is not due', async () => {
    const [domainId, appId] = aLane();
    await ensureLane(store(), domainId, appId);
    await wakeLane(store(), domainId, appId, NOW + 5);
    expect(await dueAt(domainId)).toBe(NOW + 5);
  });

  test('waking leaves the lease and time of a leased lane unchanged, so that no other worker takes it', async () => {
    const [domainId, appId] = aLane();
    await wakeLane(store(), domainId, appId, NOW);
    const [lane] = await claimDue(store(), NOW);
    const leased = await read(domainId);
    await wakeLane(store(), domainId, appId, NOW + 1);
    expect(await read(domainId)).toEqual(leased);
    expect(leased?.lease_id).toBe(lane?.lease_id);
    expect(await claimDue(store(), NOW + 1)).toEqual([]);
  });

  test('claims a leased lane only after the lease has ended', async () => {
    const [domainId, appId] = aLane();
    await wakeLane(store(), domainId, appId, NOW);
    const [first] = await claimDue(store(), NOW, { lease_until: NOW + LEASE_MS });
    expect(first).toMatchObject({ domain_id: domainId, app_id: appId });
    expect(await claimDue(store(), NOW + LEASE_MS - 1)).toEqual([]);
    const [second] = await claimDue(store(), NOW + LEASE_MS);
    expect(second).toMatchObject({ domain_id: domainId, app_id: appId });
    expect(second?.lease_id).not.toBe(first?.lease_id);
  });

  test('a worker that lost the lease does not release the lane', async () => {
    const [domainId, appId] = aLane();
    await wakeLane(store(), domainId, appId, NOW);
    const [lost] = await claimDue(store(), NOW);
    const [held] = await claimDue(store(), NOW + LEASE_MS);
    if (lost === undefined || held === undefined) throw new Error('The lane was not claimed');
    await releaseLanes(store(), [{ ...lost, due_at: null }]);
    expect(await read(domainId)).toMatchObject({ due_at: NOW, lease_id: held.lease_id });
    expect(await claimDue(store(), NOW + 2 * LEASE_MS - 1)).toEqual([]);
    expect(await claimDue(store(), NOW + 2 * LEASE_MS)).toHaveLength(1);
  });

  test.each([NOW + 3, null])('a released lane is due at %s, and can be claimed then', async (dueAt) => {
    const [domainId, appId] = aLane();
    await wakeLane(store(), domainId, appId, NOW);
    const [lane] = await claimDue(store(), NOW);
    if (lane === undefined) throw new Error('The lane was not claimed');
    await releaseLanes(store(), [{ ...lane, due_at: dueAt }]);
    expect(await read(domainId)).toEqual({
      domain_id: domainId,
      app_id: appId,
      due_at: dueAt,
      lease_id: null,
    });
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
    expect(await Promise.all(ids.map(dueAt))).toEqual([null, NOW + 1, NOW]);
    expect((await read(ids[1]))?.lease_id).toBeNull();
    await releaseLanes(store(), []);
  });

  test('locking a lane creates it, and leaves a leased one with its worker', async () => {
    const [domainId, appId] = aLane();
    const lock = () => inTransaction(store(), (tx) => lockLane(tx, domainId, appId));
    await lock();
    expect(await read(domainId)).toMatchObject({ app_id: appId, due_at: null, lease_id: null });
    await rescheduleFreeLane(store(), domainId, NOW);
    expect(await dueAt(domainId)).toBe(NOW);
    await claimDue(store(), NOW);
    const leased = await read(domainId);
    await lock();
    await rescheduleFreeLane(store(), domainId, null);
    expect(await read(domainId)).toEqual(leased);
    expect(leased).toMatchObject({ due_at: NOW, lease_id: expect.any(String) });
  });

  test('silences an app except for leased lanes, and no other app', async () => {
    const [leased, appId] = aLane();
    const [waiting, otherApp] = aLane();
    const [due, idle] = [newId('dom'), newId('dom')];
    await wakeLane(store(), leased, appId, NOW);
    await claimDue(store(), NOW);
    await wakeLane(store(), due, appId, NOW);
    await ensureLane(store(), idle, appId);
    await wakeLane(store(), waiting, otherApp, NOW);
    expect(await silence(appId)).toEqual(
      [
        { domain_id: due, due_at: NOW },
        { domain_id: leased, due_at: NOW },
      ].sort((one, other) => (one.domain_id < other.domain_id ? -1 : 1)),
    );
    expect(await dueAt(leased)).toBe(NOW);
    expect(await dueAt(due)).toBeNull();
    expect(await dueAt(waiting)).toBe(NOW);
  });

  test('silences an app in batches, in the order in which its lanes are due, each lane once', async () => {
    const appId = newId('app');
    const lanes = [3, 1, 2, 1].map((later) => ({ domain_id: newId('dom'), due_at: NOW + later }));
    for (const { domain_id, due_at: dueAtOf } of lanes) await wakeLane(store(), domain_id, appId, dueAtOf);
    const [third, first, leased, second] = lanes.map((lane, i) =>
      i === 2 ? { ...lane, due_at: NOW } : lane,
    );
    if (leased === undefined) throw new Error('There are four lanes');
    // A leased event queue (lane) stays scheduled, but a page that starts after the queue must not list it again.
    await wakeLane(store(), leased.domain_id, appId, NOW);
    await claimDue(store(), NOW);
    expect(await silence(appId, 2)).toEqual([leased, first]);
    expect(await silence(appId, 2, first)).toEqual([second, third]);
    expect(await silence(appId, 1)).toEqual([leased]);
    expect(await silence(appId, 2, leased)).toEqual([]);
  });

  test('a free lane becomes due when its pending event is due', async () => {
    const event = anEvent({ next_attempt_at: NOW + 7 });
    await store().db.insertInto('events').values(event).execute();
    await wakeLane(store(), event.domain_id, event.app_id, NOW);
    await silence(event.app_id);
    expect(await dueAt(event.domain_id)).toBe(NOW + 7);
  });

  test('the next due lane is the earliest free one', async () => {
    const [first, appId] = aLane();
    const second = newId('dom');
    expect(await nextLaneDue(store())).toBeNull();
    await ensureLane(store(), newId('dom'), appId);
    expect(await nextLaneDue(store())).toBeNull();
    await wakeLane(store(), first, appId, NOW);
    await wakeLane(store(), second, appId, NOW + 2 * LEASE_MS);
    expect(await nextLaneDue(store())).toBe(NOW);
    const [lane] = await claimDue(store(), NOW);
    if (lane === undefined) throw new Error('The lane was not claimed');
    expect(await nextLaneDue(store())).toBe(NOW + 2 * LEASE_MS);
    await releaseLanes(store(), [{ ...lane, due_at: NOW + 1 }]);
    expect(await nextLaneDue(store())).toBe(NOW + 1);
  });

  test('dropping all leases makes leased lanes due now and leaves the rest', async () => {
    const [leased, appId] = aLane();
    const [later, idle] = [newId('dom'), newId('dom')];
    await wakeLane(store(), leased, appId, NOW);
    await claimDue(store(), NOW);
    await wakeLane(store(), later, appId, NOW + 9);
    await ensureLane(store(), idle, appId);
    await dropLaneLeases(store(), NOW + 1);
    expect(await read(leased)).toEqual({ domain_id: leased, app_id: appId, due_at: NOW + 1, lease_id: null });
    expect(await dueAt(later)).toBe(NOW + 9);
    expect(await dueAt(idle)).toBeNull();
  });
}
