import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';
import {
  oldestTraffic,
  type TrafficInterval,
  trafficRange,
} from '../../../shared/core/traffic/traffic-range.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 34);
const KEPT_MS = 400 * DAY_MS;
const rangeOf = (interval: TrafficInterval, since: number | null = null, until: number | null = null) =>
  trafficRange({ interval, since, until }, NOW, KEPT_MS);

test('the default traffic range covers the last 24 hours or 30 days, including the current one', () => {
  const hour = Date.UTC(2026, 10, 20, 13);
  expect(rangeOf('hour')).toEqual({ interval: 'hour', since: hour - DAY_MS, until: hour });
  const midnight = Date.UTC(2026, 10, 21);
  expect(rangeOf('day')).toEqual({ interval: 'day', since: midnight - 30 * DAY_MS, until: midnight });
});

test('the traffic range widens times to whole hours, and does not change whole hours', () => {
  const nine = Date.UTC(2026, 10, 20, 9);
  const wanted = { interval: 'hour', since: nine, until: nine + HOUR_MS };
  expect(rangeOf('hour', nine, nine + HOUR_MS)).toEqual(wanted);
  expect(rangeOf('hour', nine + 1, nine + HOUR_MS - 1)).toEqual(wanted);
});

test('a traffic range ends with the current hour at the latest', () => {
  expect(rangeOf('hour', NOW, NOW + 9 * DAY_MS)).toEqual({
    interval: 'hour',
    since: Date.UTC(2026, 10, 20, 12),
    until: Date.UTC(2026, 10, 20, 13),
  });
});

test.each([
  ['the start is in the future', NOW + 1, null, 'since'],
  ['the end is not after the start', NOW - HOUR_MS, NOW - HOUR_MS, 'since'],
  ['the start is too old', NOW - 15 * DAY_MS, null, 'since'],
  ['the end is too old', null, NOW - 15 * DAY_MS, 'until'],
])('the API refuses a traffic range if %s', (_, since, until, path) => {
  expect(() => rangeOf('hour', since, until)).toThrow(new RegExp(`^${path}: must `));
});

test('the error for hours of traffic past retention suggests interval=day', () => {
  expect(() => rangeOf('hour', NOW - 20 * DAY_MS)).toThrow(
    'must not be before 2026-11-06T12:00:00.000Z, because the server keeps no earlier hours. For earlier traffic, use interval=day',
  );
});

test('a traffic range without a start begins no earlier than the oldest stored hour', () => {
  const until = NOW - 14 * DAY_MS + 2 * HOUR_MS;
  const oldest = oldestTraffic('hour', NOW, KEPT_MS);
  expect(rangeOf('hour', null, until)).toMatchObject({ since: oldest });
});

test('traffic by the hour is stored no longer than traffic by the day', () => {
  expect(oldestTraffic('hour', NOW, 2 * DAY_MS)).toBe(Date.UTC(2026, 10, 18, 12));
  expect(oldestTraffic('day', NOW, 2 * DAY_MS)).toBe(Date.UTC(2026, 10, 18));
});
