import { expect, test } from 'vitest';
import type { AppId, DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../shared/core/instant.ts';
import { COUNTER_INDEX, countRequest, noTraffic } from '../../../shared/core/traffic/traffic-counts.ts';
import type { TrafficInterval } from '../../../shared/core/traffic/traffic-range.ts';
import type { Scope } from '../../../shared/store/scope.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { listTopDomains, readTraffic } from '../../../shared/store/traffic/traffic.ts';
import { type TrafficBatch, writeTraffic } from '../../../shared/store/traffic/write-traffic.ts';
import { aDomain, NOW, newId } from '../rows.ts';
import { insertDomain } from '../writes.ts';

const DAY = Math.floor(NOW / DAY_MS) * DAY_MS;

export function trafficTests(store: () => Tx): void {
  let writers = 0;
  const batch = (fields: Partial<TrafficBatch>): TrafficBatch => ({
    writer: `writer ${++writers}`,
    number: 1,
    hour: NOW,
    domains: new Map(),
    apps: new Map(),
    ...fields,
  });
  const write = (fields: Partial<TrafficBatch>) => writeTraffic(store(), batch(fields), NOW);
  /** Counts requests of 10 bytes that took 30 ms. */
  const requests = (count: number) => {
    const counts = noTraffic();
    for (let n = 0; n < count; n++) {
      countRequest(counts, { status: 200, bytesIn: 10, bytesOut: 100, latencyMs: 30, originFailed: false });
    }
    return counts;
  };
  const newDomain = async (scope: Scope) => {
    const domain = aDomain(scope);
    await insertDomain(store(), domain);
    return domain.id;
  };
  const newScope = (): Scope => ({ app_id: newId('app'), mode: 'live' });
  const read = async (
    subject: DomainId | AppId,
    scope: Scope,
    interval: TrafficInterval = 'hour',
    since: Instant = DAY,
  ): Promise<[Instant, number][]> => {
    const range = { interval, since, until: DAY + 2 * DAY_MS };
    const found = await readTraffic(store(), subject, scope, range);
    return Array.from(found, ([start, counts]): [Instant, number] => [
      start,
      counts[COUNTER_INDEX.requests] ?? 0,
    ]).sort();
  };

  const topOf = async (scope: Scope, limit: number) => {
    const range = { interval: 'hour', since: NOW, until: NOW + HOUR_MS } as const;
    const top = await listTopDomains(store(), scope, range, limit);
    return top.map(({ domain_id, counts }) => [domain_id, counts[COUNTER_INDEX.requests]]);
  };

  test('adds batches to the hours and days of a domain and its app', async () => {
    const scope = newScope();
    const [one, other] = [await newDomain(scope), await newDomain(scope)];
    await write({ domains: new Map([[one, requests(2)]]) });
    await write({
      domains: new Map([
        [one, requests(3)],
        [other, requests(10)],
      ]),
    });
    await write({ domains: new Map([[one, requests(1)]]), hour: NOW + HOUR_MS });
    expect(await read(one, scope)).toEqual([
      [NOW, 5],
      [NOW + HOUR_MS, 1],
    ]);
    expect(await read(one, scope, 'day')).toEqual([[DAY, 6]]);
    expect(await read(scope.app_id, scope)).toEqual([
      [NOW, 15],
      [NOW + HOUR_MS, 1],
    ]);
    expect(await read(scope.app_id, scope, 'day')).toEqual([[DAY, 16]]);
  });

  test('keeps every counter', async () => {
    const scope = newScope();
    const id = await newDomain(scope);
    const counts = noTraffic().map((_, index) => index + 2 ** 40);
    await write({ domains: new Map([[id, counts]]) });
    const found = await readTraffic(store(), id, scope, { interval: 'day', since: DAY, until: DAY + 1 });
    expect(found.get(DAY)).toEqual(counts);
  });

  test('ignores a batch that it has already, and takes the next one', async () => {
    const scope = newScope();
    const id = await newDomain(scope);
    const first = batch({ domains: new Map([[id, requests(4)]]) });
    expect(await writeTraffic(store(), first, NOW)).toBe(true);
    expect(await writeTraffic(store(), first, NOW)).toBe(false);
    expect(await writeTraffic(store(), { ...first, number: 2 }, NOW)).toBe(true);
    expect(await writeTraffic(store(), first, NOW)).toBe(false);
    expect(await read(id, scope)).toEqual([[NOW, 8]]);
  });

  test('writes a batch once, even if it is written twice at the same time', async () => {
    const scope = newScope();
    const id = await newDomain(scope);
    const same = batch({ domains: new Map([[id, requests(4)]]) });
    const written = await Promise.all([1, 2, 3].map(() => writeTraffic(store(), same, NOW)));
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await read(id, scope)).toEqual([[NOW, 4]]);
  });

  test('adds up what many processes count for the same domains at the same time', async () => {
    const scope = newScope();
    const ids: DomainId[] = [];
    for (let n = 0; n < 20; n++) ids.push(await newDomain(scope));
    const counted = (order: DomainId[]) => new Map(order.map((id) => [id, requests(1)]));
    const orders = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? ids : ids.toReversed()));
    await Promise.all(orders.map((order) => write({ domains: counted(order) })));
    expect(await read(scope.app_id, scope)).toEqual([[NOW, 200]]);
    for (const id of ids) expect(await read(id, scope)).toEqual([[NOW, 10]]);
  });

  test('a batch counts once, also in the list of busiest domains, after a first write that rolled back', async () => {
    const scope = newScope();
    const id = await newDomain(scope);
    const same = batch({ domains: new Map([[id, requests(4)]]) });
    const cutOff = new Error('cut off');
    const first = inTransaction(store(), async (tx) => {
      await writeTraffic(tx, same, NOW);
      throw cutOff;
    });
    await expect(first).rejects.toBe(cutOff);
    await writeTraffic(store(), same, NOW);
    await writeTraffic(store(), same, NOW);
    expect(await topOf(scope, 5)).toEqual([[id, 4]]);
    expect(await read(scope.app_id, scope)).toEqual([[NOW, 4]]);
  });

  test('the list of the busiest of 120 domains is exact while ten processes add requests', async () => {
    const scope = newScope();
    const ids: DomainId[] = [];
    for (let n = 0; n < 120; n++) ids.push(await newDomain(scope));
    const sums = new Map<DomainId, number>();
    for (let round = 0; round < 4; round++) {
      const batches = Array.from({ length: 10 }, (_, writer) => {
        const some = ids.filter((_, n) => (n * 31 + writer * 7 + round * 3) % 11 < 4);
        const counted = some.map((id, n): [DomainId, number] => [id, 1 + ((n * 17 + writer + round) % 23)]);
        for (const [id, count] of counted) sums.set(id, (sums.get(id) ?? 0) + count);
        return new Map(counted.map(([id, count]) => [id, requests(count)]));
      });
      await Promise.all(batches.map((domains) => write({ domains })));
    }
    const busiest = [...sums].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    expect(await topOf(scope, 100)).toEqual(busiest.slice(0, 100));
  });

  test('keeps test mode apart', async () => {
    const live = newScope();
    const testMode: Scope = { ...live, mode: 'test' };
    await write({ domains: new Map([[await newDomain(live), requests(1)]]) });
    await write({ domains: new Map([[await newDomain(testMode), requests(2)]]) });
    expect(await read(live.app_id, live)).toEqual([[NOW, 1]]);
    expect(await read(live.app_id, testMode)).toEqual([[NOW, 2]]);
  });

  test('counts for an app alone what has no domain, and drops the counts of an unknown domain', async () => {
    const scope = newScope();
    const unknown = newId('dom');
    await write({ domains: new Map([[unknown, requests(1)]]), apps: new Map([[scope.app_id, requests(7)]]) });
    expect(await read(scope.app_id, scope)).toEqual([[NOW, 7]]);
    expect(await read(unknown, scope)).toEqual([]);
  });

  test('lists the domains with the most requests of one app, mode and range', async () => {
    const scope = newScope();
    const [small, large, later] = [await newDomain(scope), await newDomain(scope), await newDomain(scope)];
    const otherApp = await newDomain(newScope());
    const testDomain = await newDomain({ ...scope, mode: 'test' });
    const many = requests(50);
    await write({
      domains: new Map([
        [small, requests(1)],
        [large, requests(3)],
        [otherApp, many],
        [testDomain, many],
      ]),
    });
    await write({ domains: new Map([[small, requests(1)]]), hour: NOW + HOUR_MS });
    await write({ domains: new Map([[later, many]]), hour: NOW + DAY_MS });
    const range = { interval: 'hour', since: DAY, until: DAY + DAY_MS } as const;
    const top = await listTopDomains(store(), scope, range, 5);
    expect(top.map(({ domain_id, counts }) => [domain_id, counts[COUNTER_INDEX.requests]])).toEqual([
      [large, 3],
      [small, 2],
    ]);
    expect(top[0]?.hostname).toEqual(expect.any(String));
    expect(await listTopDomains(store(), scope, range, 1)).toHaveLength(1);
    expect(await listTopDomains(store(), newScope(), range, 5)).toEqual([]);
  });
}
