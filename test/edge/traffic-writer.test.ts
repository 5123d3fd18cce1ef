import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../shared/core/instant.ts';
import { createTrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import { COUNTER_INDEX, noTraffic } from '../../shared/core/traffic/traffic-counts.ts';
import { startTrafficWriter } from '../../shared/edge/traffic/traffic-writer.ts';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import type { Store } from '../../shared/store/store.ts';
import { readTraffic } from '../../shared/store/traffic/traffic.ts';
import { writeTraffic } from '../../shared/store/traffic/write-traffic.ts';
import { openMemory } from '../store/open-sqlite.ts';
import type { OpenedStore } from '../store/open-store.ts';
import { aDomain, NOW } from '../store/rows.ts';
import { insertDomain } from '../store/writes.ts';

const ONE = noTraffic();
ONE[COUNTER_INDEX.requests] = 1;

let opened: OpenedStore;
let domain: ReturnType<typeof aDomain>;
/** Failures of the next transactions, in order. Further transactions succeed. */
let outcomes: ('down' | 'lost')[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  opened = await openMemory();
  await migrateSchema(opened.store);
  domain = aDomain();
  await insertDomain(opened.store, domain);
  outcomes = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await opened[Symbol.asyncDispose]();
});

/** Creates a store in which a transaction can fail before it begins (`down`) or after its commit (`lost`). */
function unreliable(store: Store): Store {
  const db = new Proxy(store.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name);
      return () => ({
        async execute(work: never) {
          const outcome = outcomes.shift();
          if (outcome === 'down') throw new Error('the database is away');
          const result = await target.transaction().execute(work);
          if (outcome === 'lost') throw new Error('the connection was lost');
          return result;
        },
      });
    },
  });
  return { ...store, db };
}

function writing() {
  const warnings: string[] = [];
  const warn = (_: unknown, message: string) => warnings.push(message);
  const log = { info: () => undefined, warn, error: () => undefined };
  const counter = createTrafficCounter();
  const store = unreliable(opened.store);
  const writer = startTrafficWriter({ counter, log, save: (batch) => writeTraffic(store, batch, NOW) });
  const visit = (times: number, at = NOW) => {
    for (let n = 0; n < times; n++) counter.add({ domain_id: domain.id, app_id: domain.app_id }, at, ONE);
  };
  return { writer, counter, visit, warnings };
}

async function stored(): Promise<number> {
  const range = { interval: 'day', since: 0, until: NOW * 2 } as const;
  const found = await readTraffic(opened.store, domain.id, { mode: domain.mode as 'live' }, range);
  return [...found.values()].reduce((sum, counts) => sum + (counts[COUNTER_INDEX.requests] ?? 0), 0);
}

test('the traffic writer writes its counts at each interval, and a last time when it is closed', async () => {
  const { writer, visit } = writing();
  visit(3);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(await stored()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(stored).toBe(3);
  visit(2);
  await writer.close();
  expect(await stored()).toBe(5);
});

test('the traffic writer keeps its counts while the database is away, and adds the counts of the next hours', async () => {
  const { writer, visit, warnings } = writing();
  outcomes = ['down', 'down'];
  visit(1);
  await expect(writer.write()).rejects.toThrow('away');
  visit(2, NOW + HOUR_MS);
  await expect(writer.write()).rejects.toThrow('away');
  visit(4, NOW + 2 * HOUR_MS);
  await writer.write();
  expect(await stored()).toBe(7);
  expect(warnings).toEqual([]);
});

test('the traffic writer adds a batch once, even if the connection is lost after the commit', async () => {
  const { writer, visit } = writing();
  outcomes = ['lost', 'lost'];
  visit(5);
  for (let tries = 0; tries < 2; tries++) await expect(writer.write()).rejects.toThrow('lost');
  visit(1);
  await writer.write();
  expect(await stored()).toBe(6);
});

test('the traffic writer logs a write that fails', async () => {
  const { writer, visit, warnings } = writing();
  outcomes = ['down'];
  visit(1);
  await writer.close();
  expect(warnings).toEqual(['traffic could not be written; its counts are kept in memory']);
});

test('the traffic writer writes many domains in several batches', async () => {
  const { writer, counter } = writing();
  for (let n = 0; n < 1_201; n++) {
    const counted = aDomain({ app_id: domain.app_id });
    await insertDomain(opened.store, counted);
    counter.add({ domain_id: counted.id, app_id: domain.app_id }, NOW, ONE);
  }
  await writer.write();
  const { last_batch } = await opened.store.db
    .selectFrom('traffic_writers')
    .select('last_batch')
    .executeTakeFirstOrThrow();
  expect(last_batch).toBe(3);
  const range = { interval: 'hour', since: 0, until: NOW * 2 } as const;
  const found = await readTraffic(opened.store, domain.app_id, { mode: domain.mode as 'live' }, range);
  expect(found.get(NOW)?.[COUNTER_INDEX.requests]).toBe(1_201);
});
