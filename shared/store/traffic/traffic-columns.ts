import { LATENCY_BOUNDS_MS, REQUEST_COUNTERS } from '../../core/traffic/traffic-counts.ts';

type Bound = (typeof LATENCY_BOUNDS_MS)[number];
export type LatencyColumn = `within_${Bound}_ms` | 'slower';

/** The columns of the counts, in the order of `TrafficCounts`. */
export const COUNT_COLUMNS = [
  ...REQUEST_COUNTERS,
  ...LATENCY_BOUNDS_MS.map((bound) => `within_${bound}_ms` as const),
  'slower',
] as const;
