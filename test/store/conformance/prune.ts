import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { noTraffic } from '../../../shared/core/traffic/traffic-counts.ts';
import { insertApiKey } from '../../../shared/store/accounts/api-keys.ts';
import { claimIdempotencyKey } from '../../../shared/store/accounts/idempotency.ts';
import { countUse } from '../../../shared/store/accounts/rate-windows.ts';
import { insertSignInChallenge } from '../../../shared/store/accounts/sign-in-challenges.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { listDeliveries } from '../../../shared/store/events/deliveries.ts';
import { selectEvents } from '../../../shared/store/events/events.ts';
import { prune } from '../../../shared/store/prune.ts';
import type { Tx } from '../../../shared/store/store.ts';
import type { Tables } from '../../../shared/store/tables.ts';
import { writeTraffic } from '../../../shared/store/traffic/write-traffic.ts';
import { aDelivery, aDomain, aKey, anEvent, NOTHING, NOW, newId } from '../rows.ts';
import { ensureLane, insertDomain, insertEvent, saveDeliveries } from '../writes.ts';

/** Maximum number of rows that one statement of `prune` deletes. */
const BATCH = 1000;

export function pruneTests(store: () => Tx): void {
  const count = async (table: keyof Tables) => {
    const { rows } = await store()
      .db.selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return Number(rows);
  };

  test('deletes keys older than the limit, in flight or not', async () => {
    const scope = { app_id: newId('app'), mode: 'live' } as const;
    const claimAt = (key: string, now: number) =>
      claimIdempotencyKey(store(), {
        scope,
        key,
        fingerprint: 'f',
        lease_id: newId('lea'),
        lease_until: NOW * 2,
        now,
        keptSince: 0,
      });
    await claimAt('old', NOW - 1);
    await claimAt('kept', NOW);
    expect(await prune(store(), { ...NOTHING, idempotency: NOW })).toBe(false);
    expect((await claimAt('old', NOW)).claimed).toBe(true);
    expect((await claimAt('kept', NOW)).claimed).toBe(false);
  });

  test('deletes events with their deliveries, and only once their delivery has ended', async () => {
    const appId = newId('app');
    const old = { app_id: appId, created_at: NOW - 1 };
    const ended = (['delivered', 'failed', 'none'] as const).map((deliveryStatus) =>
      anEvent({ ...old, delivery_status: deliveryStatus }),
    );
    const pending = anEvent(old);
    const young = anEvent({ app_id: appId, created_at: NOW, delivery_status: 'delivered' });
    for (const event of [...ended, pending, young]) {
      await insertEvent(store(), event);
      await saveDeliveries(store(), [aDelivery({ event_id: event.id })]);
    }
    expect(await prune(store(), { ...NOTHING, events: NOW })).toBe(false);
    const { rows } = await selectEvents(
      store(),
      { app_id: appId, mode: 'live' },
      {},
      { limit: 9, after: null },
    );
    expect(rows).toEqual([young, pending]);
    for (const { id } of ended) expect(await listDeliveries(store(), id)).toEqual([]);
    for (const { id } of rows) expect(await listDeliveries(store(), id)).toHaveLength(1);
  });

  test('keeps an event by its last attempt, however old it is', async () => {
    const event = anEvent({ created_at: NOW - 9, last_attempt_at: NOW, delivery_status: 'failed' });
    await insertEvent(store(), event);
    await prune(store(), { ...NOTHING, events: NOW });
    expect(await count('events')).toBe(1);
    await prune(store(), { ...NOTHING, events: NOW + 1 });
    expect(await count('events')).toBe(0);
  });

  test('deletes a deleted domain after the last of its events, with its lane', async () => {
    const domain = aDomain({ status: 'deleted', updated_at: NOW - 1 });
    const living = aDomain({ updated_at: NOW - 1 });
    for (const each of [domain, living]) {
      await insertDomain(store(), each);
      await ensureLane(store(), each.id, each.app_id);
    }
    await insertEvent(store(), anEvent({ domain_id: domain.id, created_at: NOW, delivery_status: 'none' }));
    await prune(store(), { ...NOTHING, events: NOW });
    expect([await count('domains'), await count('lanes')]).toEqual([2, 2]);
    const places = store().db.selectFrom('domains').select(['id', 'updated_at']);
    // `prune` has set `updated_at`, so that no call reads the domain again before the retention of the domain's event ends.
    expect(await places.where('status', '=', 'deleted').execute()).toEqual([
      { id: domain.id, updated_at: NOW },
    ]);
    await prune(store(), { ...NOTHING, events: NOW + 1 });
    expect([await count('domains'), await count('lanes')]).toEqual([1, 1]);
    expect(await findDomainById(store(), living.id)).toEqual(living);
  });

  test('deletes revoked keys and keeps active ones', async () => {
    const revoked = aKey({ revoked_at: NOW - 1 });
    const active = aKey();
    for (const key of [revoked, active]) await insertApiKey(store(), key);
    await prune(store(), { ...NOTHING, events: NOW });
    const kept = await store().db.selectFrom('api_keys').select('id').execute();
    expect(kept).toEqual([{ id: active.id }]);
  });

  test('deletes windows whose latest use was earlier', async () => {
    await countUse(store(), 'verify', 'old', NOW - 1);
    await countUse(store(), 'verify', 'kept', NOW);
    expect(await prune(store(), { ...NOTHING, rate_windows: NOW })).toBe(false);
    expect(await countUse(store(), 'verify', 'old', NOW)).toBeNull();
    expect(await countUse(store(), 'verify', 'kept', NOW)).toBe(15_000);
  });

  test('deletes challenges of sign-ins that have expired', async () => {
    const challenge = { kind: 'passkey_sign_in', browser_hash: 'b', mail: null, detail: null } as const;
    await insertSignInChallenge(store(), { ...challenge, hash: 'old', expires_at: NOW - 1 });
    await insertSignInChallenge(store(), { ...challenge, hash: 'kept', expires_at: NOW });
    expect(await prune(store(), { ...NOTHING, signInChallenges: NOW })).toBe(false);
    expect(await count('sign_in_challenges')).toBe(1);
  });

  test('deletes old rate windows even after a whole batch of recent windows', async () => {
    const numbers = Array.from({ length: 2 * BATCH + 5 }, (_, i) => i);
    const windows = numbers.map((i) => ({
      name: String(i).padStart(5, '0'),
      opened_at: i < BATCH + 3 ? NOW : NOW - 1,
      used: 1,
      uses: '[]',
    }));
    for (const part of [windows.slice(0, BATCH), windows.slice(BATCH)])
      await store().db.insertInto('rate_windows').values(part).execute();
    expect(await prune(store(), { ...NOTHING, rate_windows: NOW })).toBe(false);
    expect(await count('rate_windows')).toBe(BATCH + 3);
    await prune(store(), { ...NOTHING, rate_windows: NOW + 1 });
  });

  test.each(['idempotency', 'events'] as const)('deletes all %s in batches', async (table) => {
    const numbers = Array.from({ length: BATCH + 5 }, (_, i) => String(i));
    const { db } = store();
    if (table === 'events') {
      const events = numbers.map(() => anEvent({ delivery_status: 'delivered' }));
      await db.insertInto('events').values(events).execute();
    } else {
      const key = {
        app_id: newId('app'),
        mode: 'live',
        fingerprint: 'f',
        lease_until: NOW,
        created_at: NOW,
      } as const;
      await db
        .insertInto('idempotency')
        .values(numbers.map((each) => ({ ...key, key: each })))
        .execute();
    }
    const before = { ...NOTHING, [table]: NOW + 1 };
    expect(await prune(store(), before)).toBe(true);
    expect(await count(table)).toBe(5);
    expect(await prune(store(), before)).toBe(false);
    expect(await count(table)).toBe(0);
  });

  test('deletes old hours of traffic before old days, and processes that write no more', async () => {
    await store().db.deleteFrom('traffic').execute();
    const domain = aDomain({});
    await insertDomain(store(), domain);
    for (const [number, hour] of [NOW - DAY_MS, NOW].entries()) {
      const domains = new Map([[domain.id, noTraffic()]]);
      const batch = { writer: 'pruned', number: number + 1, hour, domains, apps: new Map() };
      await writeTraffic(store(), batch, NOW);
    }
    // The domain has rows for two hours and two days, and so does its app.
    expect(await count('traffic')).toBe(8);
    await prune(store(), { ...NOTHING, trafficHours: NOW });
    expect(await count('traffic')).toBe(6);
    await prune(store(), { ...NOTHING, trafficHours: NOW, trafficDays: NOW - DAY_MS });
    expect(await count('traffic')).toBe(4);
    const writers = await count('traffic_writers');
    await prune(store(), { ...NOTHING, trafficWriters: NOW });
    expect(await count('traffic_writers')).toBe(writers);
    await prune(store(), { ...NOTHING, trafficWriters: NOW + 1 });
    expect(await count('traffic_writers')).toBe(0);
  });
}
