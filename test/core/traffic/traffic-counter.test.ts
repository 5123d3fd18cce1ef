import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { createTrafficCounter, type TrafficCounter } from '../../../shared/core/traffic/traffic-counter.ts';
import { COUNTER_INDEX, noTraffic } from '../../../shared/core/traffic/traffic-counts.ts';

const HOUR = Date.UTC(2026, 10, 20, 12);
const ONE = noTraffic();
ONE[COUNTER_INDEX.requests] = 1;

function taken(counter: TrafficCounter) {
  const requests = (sums: Map<string, Float64Array>) =>
    Object.fromEntries(Array.from(sums, ([id, counts]) => [id, counts[COUNTER_INDEX.requests]]));
  return counter
    .take()
    .map(({ hour, domains, apps }) => ({ hour, domains: requests(domains), apps: requests(apps) }));
}

test('the traffic counter sums requests by domain and hour until the sums are taken', () => {
  const counter = createTrafficCounter();
  for (const [domainId, at] of [
    ['a', HOUR],
    ['a', HOUR + 1],
    ['b', HOUR - 1],
    ['a', HOUR + HOUR_MS],
  ] as const) {
    counter.add({ domain_id: domainId, app_id: 'app' }, at, ONE);
  }
  expect(taken(counter)).toEqual([
    { hour: HOUR - HOUR_MS, domains: { b: 1 }, apps: {} },
    { hour: HOUR, domains: { a: 2 }, apps: {} },
    { hour: HOUR + HOUR_MS, domains: { a: 1 }, apps: {} },
  ]);
  expect(taken(counter)).toEqual([]);
});

test('once an app has used its share, its further domains are counted only in the total of the app, and other apps still have room', () => {
  const counter = createTrafficCounter({ domainsMax: 8, appsMax: 2 });
  for (let n = 0; n < 10; n++) counter.add({ domain_id: `a${n}`, app_id: 'first' }, HOUR, ONE);
  for (let n = 0; n < 10; n++) counter.add({ domain_id: `b${n}`, app_id: 'second' }, HOUR, ONE);
  counter.add({ domain_id: 'a0', app_id: 'first' }, HOUR, ONE);
  expect(taken(counter)).toEqual([
    { hour: HOUR, domains: { a0: 2, a1: 1, a2: 1, a3: 1, b0: 1, b1: 1 }, apps: { first: 6, second: 8 } },
  ]);
});

test('the traffic counter reports how many requests it lost for lack of room', () => {
  const counter = createTrafficCounter({ domainsMax: 0, appsMax: 1 });
  for (const appId of ['first', 'second']) counter.add({ domain_id: 'a', app_id: appId }, HOUR, ONE);
  expect(counter.lost).toBe(1);
  expect(taken(counter)).toEqual([{ hour: HOUR, domains: {}, apps: { first: 1 } }]);
});

test('the traffic counter counts requests of an app without a domain', () => {
  const counter = createTrafficCounter();
  counter.addToApp('app', HOUR + 5, ONE);
  expect(taken(counter)).toEqual([{ hour: HOUR, domains: {}, apps: { app: 1 } }]);
});
