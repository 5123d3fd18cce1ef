import { expect, test } from 'vitest';
import { PLOT, trafficBars } from '../../shared/dashboard/browser/parts/traffic-bars.ts';

type Bucket = Parameters<typeof trafficBars>[0][number];

function bucket(start: string, more: Partial<Bucket> = {}): Bucket {
  return {
    start,
    requests: 0,
    bytes_in: 0,
    bytes_out: 0,
    status_1xx: 0,
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    aborted: 0,
    origin_errors: 0,
    latency_p50_ms: null,
    latency_p95_ms: null,
    latency_p99_ms: null,
    latency_counts: [],
    ...more,
  };
}

test('the traffic bar with the most requests fills the plot, and its parts are stacked without a gap', () => {
  const [full, half, empty] = trafficBars([
    bucket('a', { requests: 100, status_2xx: 50, status_4xx: 30, status_5xx: 15, aborted: 5 }),
    bucket('b', { requests: 50, status_3xx: 50 }),
    bucket('c'),
  ]);
  expect(full?.parts).toEqual([
    { kind: 'fine', y: 50, height: 50 },
    { kind: 'client', y: 20, height: 30 },
    { kind: 'server', y: 5, height: 15 },
    { kind: 'left', y: 0, height: 5 },
  ]);
  expect(half?.parts).toEqual([{ kind: 'fine', y: 50, height: 50 }]);
  expect(empty).toMatchObject({ requests: 0, parts: [] });
});

test('the traffic chart shows even one failed request among a million, and no bar exceeds the plot', () => {
  const [bar] = trafficBars([
    bucket('a', { requests: 1_000_000, status_2xx: 999_998, status_5xx: 1, aborted: 1 }),
  ]);
  const heights = bar?.parts.map(({ height }) => height) ?? [];
  expect(heights).toHaveLength(3);
  expect(Math.min(...heights)).toBeGreaterThan(0.5);
  expect(heights.reduce((sum, height) => sum + height, 0)).toBeCloseTo(PLOT);
  for (const { y } of bar?.parts ?? []) expect(y).toBeGreaterThan(-0.001);
});
