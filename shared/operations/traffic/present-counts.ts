import { latencyPercentile } from '../../core/traffic/latency-percentile.ts';
import {
  COUNTER_INDEX,
  LATENCY_INDEX,
  REQUEST_COUNTERS,
  type RequestCounter,
  type TrafficCounts,
} from '../../core/traffic/traffic-counts.ts';
import type { TrafficCountsResource } from '../../schema/traffic.ts';

/** Returns counts as the API shows them. */
export function presentCounts(counts: TrafficCounts): TrafficCountsResource {
  const counters = REQUEST_COUNTERS.map((name) => [name, counts[COUNTER_INDEX[name]] ?? 0]);
  const latencies = [...counts.subarray(LATENCY_INDEX)];
  return {
    ...(Object.fromEntries(counters) as Record<RequestCounter, number>),
    latency_p50_ms: latencyPercentile(latencies, 0.5),
    latency_p95_ms: latencyPercentile(latencies, 0.95),
    latency_p99_ms: latencyPercentile(latencies, 0.99),
    latency_counts: latencies,
  };
}
