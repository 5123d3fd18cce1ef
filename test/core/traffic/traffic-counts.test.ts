import { expect, test } from 'vitest';
import {
  addTraffic,
  COUNTER_INDEX,
  type CountedRequest,
  countRequest,
  LATENCY_BOUNDS_MS,
  LATENCY_INDEX,
  latencyIndex,
  latencyPercentile,
  noTraffic,
  REQUEST_COUNTERS,
} from '../../../shared/core/traffic/traffic-counts.ts';
import { COUNT_COLUMNS } from '../../../shared/store/traffic/traffic-rows.ts';

const PLAIN: CountedRequest = { status: 200, bytesIn: 1, bytesOut: 2, latencyMs: null, originFailed: false };
const counted = (...requests: CountedRequest[]) => {
  const counts = noTraffic();
  for (const request of requests) countRequest(counts, request);
  return Object.fromEntries(REQUEST_COUNTERS.map((name) => [name, counts[COUNTER_INDEX[name]]]));
};

test.each([
  [101, 'status_1xx'],
  [200, 'status_2xx'],
  [299, 'status_2xx'],
  [308, 'status_3xx'],
  [499, 'status_4xx'],
  [500, 'status_5xx'],
  [599, 'status_5xx'],
  [null, 'aborted'],
])('the traffic counts include a response of %s once, as %s', (status, name) => {
  const counts = counted({ ...PLAIN, status });
  expect(counts).toMatchObject({ requests: 1, bytes_in: 1, bytes_out: 2, [name]: 1, origin_errors: 0 });
  const statuses = [...REQUEST_COUNTERS.filter((each) => each.startsWith('status_')), 'aborted'];
  expect(statuses.reduce((sum, each) => sum + (counts[each] ?? 0), 0)).toBe(1);
});

test('the traffic counts include a failure of the origin in addition to its status', () => {
  expect(counted({ ...PLAIN, status: 504, originFailed: true })).toMatchObject({
    status_5xx: 1,
    origin_errors: 1,
  });
});

test('the traffic counts include a latency in the first bucket whose bound is not lower', () => {
  const bucketOf = (ms: number) => latencyIndex(ms) - LATENCY_INDEX;
  expect([0, 5, 6, 10, 10_000, 10_001].map(bucketOf)).toEqual([0, 0, 1, 1, 10, 11]);
});

test('every traffic counter and every latency bucket has a column', () => {
  expect(COUNT_COLUMNS).toHaveLength(noTraffic().length);
  expect(COUNT_COLUMNS.slice(LATENCY_INDEX)).toHaveLength(LATENCY_BOUNDS_MS.length + 1);
});

test('addTraffic adds traffic counts to its first argument', () => {
  const sum = noTraffic();
  for (const latencyMs of [1, 7]) {
    const counts = noTraffic();
    countRequest(counts, { ...PLAIN, latencyMs });
    addTraffic(sum, counts);
  }
  expect(sum[COUNTER_INDEX.requests]).toBe(2);
  expect([...sum.subarray(LATENCY_INDEX, LATENCY_INDEX + 3)]).toEqual([1, 1, 0]);
});

test.each([
  ['none', [], 0.5, null],
  ['all in the first bucket', [100], 0.5, 3],
  ['the bound between two buckets', [50, 50], 0.5, 5],
  ['within the third bucket', [0, 50, 50], 0.75, 18],
  ['above the last bound', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 0.5, 10_000],
  ['a few slow ones', [98, 0, 0, 0, 0, 2], 0.99, 175],
])('the latency histogram estimates a percentile: %s', (_, buckets, share, expected) => {
  expect(latencyPercentile(buckets, share)).toBe(expected);
});
