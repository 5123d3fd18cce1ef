/** The bounds of the latency histogram in milliseconds. A last bucket contains everything above the last bound. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/** The counters (`docs/traffic.md#fields`). Each request is in exactly one of the `status_…` counters or in `aborted`. */
export const REQUEST_COUNTERS = [
  'requests',
  'bytes_in',
  'bytes_out',
  'status_1xx',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'aborted',
  'origin_errors',
] as const;
export type RequestCounter = (typeof REQUEST_COUNTERS)[number];

/**
 * The counts of a domain, or of an app, in one period: first the counters of `REQUEST_COUNTERS`, then the buckets of the latency histogram.
 * They are an array, so that counting a request takes only a few additions.
 */
export type TrafficCounts = Float64Array;

/** The index of each counter in `TrafficCounts`. */
export const COUNTER_INDEX = Object.fromEntries(
  REQUEST_COUNTERS.map((name, index) => [name, index]),
) as Readonly<Record<RequestCounter, number>>;

/** The index of the first bucket of the histogram in `TrafficCounts`. */
export const LATENCY_INDEX = REQUEST_COUNTERS.length;
export const TRAFFIC_COUNTS_LENGTH = LATENCY_INDEX + LATENCY_BOUNDS_MS.length + 1;

export function noTraffic(): TrafficCounts {
  return new Float64Array(TRAFFIC_COUNTS_LENGTH);
}

/** Adds `counts` to `to`, in place. */
export function addTraffic(to: TrafficCounts, counts: ArrayLike<number>): void {
  for (let i = 0; i < TRAFFIC_COUNTS_LENGTH; i++) to[i] = (to[i] ?? 0) + (counts[i] ?? 0);
}

/** The facts about a finished request that the counters need. */
export interface CountedRequest {
  /** Null if the visitor left before the response. */
  status: number | null;
  bytesIn: number;
  bytesOut: number;
  /** Time until the origin's response began; null if the origin did not respond. */
  latencyMs: number | null;
  /** True if the edge responded in place of an origin that failed. */
  originFailed: boolean;
}

/** Counts one request. */
export function countRequest(counts: TrafficCounts, request: CountedRequest): void {
  add(counts, COUNTER_INDEX.requests, 1);
  add(counts, COUNTER_INDEX.bytes_in, request.bytesIn);
  add(counts, COUNTER_INDEX.bytes_out, request.bytesOut);
  add(counts, statusIndex(request.status), 1);
  if (request.originFailed) add(counts, COUNTER_INDEX.origin_errors, 1);
  if (request.latencyMs !== null) add(counts, latencyIndex(request.latencyMs), 1);
}

function add(counts: TrafficCounts, index: number, by: number): void {
  counts[index] = (counts[index] ?? 0) + by;
}

function statusIndex(status: number | null): number {
  if (status === null) return COUNTER_INDEX.aborted;
  return COUNTER_INDEX.status_1xx - 1 + Math.floor(status / 100);
}

/** Returns the index of the bucket that a latency belongs to. */
export function latencyIndex(latencyMs: number): number {
  let bucket = 0;
  while (bucket < LATENCY_BOUNDS_MS.length && latencyMs > (LATENCY_BOUNDS_MS[bucket] ?? 0)) bucket += 1;
  return LATENCY_INDEX + bucket;
}

/**
 * Estimates a percentile from the latency histogram, in milliseconds. It assumes that latencies are spread evenly within a bucket. The last
 * bucket has no end, so a percentile in that bucket is reported as the bucket's start.
 * @param share between 0 and 1.
 * @returns null if there are no latencies.
 */
export function latencyPercentile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = total * share;
  for (const [index, count] of buckets.entries()) {
    const from = LATENCY_BOUNDS_MS[index - 1] ?? 0;
    const to = LATENCY_BOUNDS_MS[index] ?? from;
    if (count > 0 && left <= count) return Math.round(from + (to - from) * (left / count));
    left -= count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
