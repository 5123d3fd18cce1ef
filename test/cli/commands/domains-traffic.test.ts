import { describe, expect, test } from 'vitest';
import { sparkline } from '../../../cli/output/traffic-view.ts';
import { bytesText } from '../../../shared/core/text/decode-text.ts';
import type { DomainTraffic, TrafficCountsResource } from '../../../shared/schema/traffic.ts';
import { type FakeApi, startFakeApi } from '../fake-api.ts';
import { keyFor, runCli } from '../run-cli.ts';

const DOMAIN = 'dom_01k9v3m8x7c5d2f0q4t6w1z8ab';

function counts(requests: number, more: Partial<TrafficCountsResource> = {}): TrafficCountsResource {
  return {
    requests,
    bytes_in: 100 * requests,
    bytes_out: 12_345 * requests,
    status_1xx: 0,
    status_2xx: requests,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    aborted: 0,
    origin_errors: 0,
    latency_p50_ms: requests === 0 ? null : 10,
    latency_p95_ms: requests === 0 ? null : 25,
    latency_p99_ms: requests === 0 ? null : 50,
    latency_counts: [],
    ...more,
  };
}

/** Returns a domain's traffic with this number of requests in each hour of a day. */
function trafficOf(requests: readonly number[]): Omit<DomainTraffic, 'domain_id' | 'hostname'> {
  const sum = requests.reduce((total, each) => total + each, 0);
  return {
    interval: 'hour',
    since: '2026-11-23T00:00:00.000Z',
    until: `2026-11-23T${String(requests.length).padStart(2, '0')}:00:00.000Z`,
    latency_bounds_ms: [5],
    totals: counts(sum),
    buckets: requests.map((each, hour) => ({
      start: `2026-11-23T${String(hour).padStart(2, '0')}:00:00.000Z`,
      ...counts(each),
    })),
  };
}

const ofDomain = (requests: readonly number[]) => ({
  domain_id: DOMAIN,
  hostname: 'careers.acme.com',
  ...trafficOf(requests),
});

const ofApp = {
  ...trafficOf([3, 0]),
  top_domains: [
    { domain_id: DOMAIN, hostname: 'careers.acme.com', ...counts(2) },
    { domain_id: 'dom_gone', hostname: null, ...counts(1) },
  ],
};

async function run(api: FakeApi, argv: string[], columns?: number) {
  const env = keyFor(api.url);
  return runCli(['domains', 'traffic', ...argv, '--no-color'], { env, ...(columns && { columns }) });
}

test('on a terminal, domains traffic shows each sum with a line of bars', async () => {
  await using api = await startFakeApi({
    [`GET /v1/domains/${DOMAIN}/traffic`]: { body: ofDomain([0, 1000, 2000]) },
  });
  const { stdout, exit } = await run(api, [DOMAIN], 100);
  expect(exit).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'careers.acme.com',
    '2026-11-23 00:00 to 2026-11-23 03:00 UTC',
    '',
    'WHAT           TOTAL    MOST BY HOUR  BY HOUR',
    'requests       3,000    2,000         ▁▅█',
    'received       300 kB   200 kB        ▁▅█',
    'sent           37.0 MB  24.7 MB       ▁▅█',
    '2xx            3,000    2,000         ▁▅█',
    '5xx            0        0             ▁▁▁',
    'origin errors  0        0             ▁▁▁',
    'latency p50    10 ms    10 ms          ██',
    'latency p95    25 ms    25 ms          ██',
    '',
  ]);
});

test('on a narrow terminal, domains traffic prints no line longer than its width', async () => {
  await using api = await startFakeApi({
    [`GET /v1/domains/${DOMAIN}/traffic`]: { body: ofDomain(Array(23).fill(5)) },
  });
  for (const columns of [40, 60, 80]) {
    const { stdout } = await run(api, [DOMAIN], columns);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

test('without a terminal, domains traffic prints a row of plain numbers for each hour', async () => {
  await using api = await startFakeApi({
    [`GET /v1/domains/${DOMAIN}/traffic`]: { body: ofDomain([0, 1000]) },
  });
  const { stdout } = await run(api, [DOMAIN]);
  const [head = '', ...rows] = stdout.trimEnd().split('\n');
  expect(head.split(/ {2,}/)).toEqual([
    ...['START', 'REQUESTS', 'BYTES_IN', 'BYTES_OUT'],
    ...['STATUS_1XX', 'STATUS_2XX', 'STATUS_3XX', 'STATUS_4XX', 'STATUS_5XX', 'ABORTED', 'ORIGIN_ERRORS'],
    ...['LATENCY_P50_MS', 'LATENCY_P95_MS', 'LATENCY_P99_MS'],
  ]);
  expect(rows).toHaveLength(2);
  expect(rows[1]?.split(/ {2,}/).slice(0, 4)).toEqual(['2026-11-23 01:00:00Z', '1000', '100000', '12345000']);
});

test('domains traffic without a domain also lists the domains with the most requests', async () => {
  await using api = await startFakeApi({ 'GET /v1/traffic': { body: ofApp } });
  const { stdout } = await run(api, ['--limit', '2'], 100);
  expect(stdout).toMatch(/^All domains\n2026-11-23 00:00 to /);
  expect(stdout.split('\n').slice(-4)).toEqual([
    'DOMAIN              REQUESTS  SENT     5XX  ORIGIN ERRORS  P95',
    'careers.acme.com    2         24.7 kB  0    0              25 ms',
    'dom_gone (deleted)  1         12.3 kB  0    0              25 ms',
    '',
  ]);
  expect(api.requests.at(-1)?.query.toString()).toBe('limit=2');
});

test('domains traffic says that a domain had no requests', async () => {
  await using api = await startFakeApi({ [`GET /v1/domains/${DOMAIN}/traffic`]: { body: ofDomain([0, 0]) } });
  expect((await run(api, [DOMAIN], 80)).stdout).toContain('No requests in this time.');
});

test('domains traffic sends times in the format of the API, and turns a duration into a time in the past', async () => {
  await using api = await startFakeApi({ [`GET /v1/domains/${DOMAIN}/traffic`]: { body: ofDomain([1]) } });
  await run(api, [DOMAIN, '--interval', 'day', '--since', '2026-11-20', '--until', '1h', '--json']);
  const query = api.requests.at(-1)?.query;
  expect(query?.get('interval')).toBe('day');
  expect(query?.get('since')).toBe('2026-11-20T00:00:00.000Z');
  expect(Math.abs(Date.parse(query?.get('until') ?? '') - (Date.now() - 3_600_000))).toBeLessThan(60_000);
});

test.each([
  [[DOMAIN, '--limit', '3'], '--limit is for all domains.'],
  [[DOMAIN, '--since', 'soon'], 'soon'],
  [[DOMAIN, '--interval', 'week'], 'week'],
])('domains traffic refuses %j without a request', async (argv, words) => {
  await using api = await startFakeApi({});
  const { exit, stderr } = await run(api, argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(words);
  expect(api.requests).toEqual([]);
});

describe('domains traffic draws its values as a line of bars', () => {
  test.each([
    [[0, 1, 1000], '▁▂█'],
    [[0, 0], '▁▁'],
    [[null, 5, null], ' █ '],
    [[], ''],
  ])('shows the values %j as "%s"', (values, line) => {
    expect(sparkline(values, 80)).toBe(line);
  });

  test('values that share a column are drawn as the highest of them', () => {
    expect(sparkline([0, 0, 0, 9, 0, 0, 0, 0], 4)).toBe('▁█▁▁');
  });
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [99_940, '99.9 kB'],
  [99_960, '100 kB'],
  [999_600, '1.0 MB'],
  [1.5e15, '1.5 PB'],
  [2e21, '2000000 PB'],
])('a traffic of %d bytes is shown as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
