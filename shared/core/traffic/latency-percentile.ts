import { LATENCY_BOUNDS_MS } from './traffic-counts.ts';

/**
 * Estimates a percentile from the latency histogram, in milliseconds. It assumes that latencies are spread evenly within a bucket. The last
 * bucket has no end, so a percentile in it is reported as its start.
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
