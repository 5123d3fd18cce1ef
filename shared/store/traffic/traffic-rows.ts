import type { Mode } from '../../core/domains/status.ts';
import {
  LATENCY_BOUNDS_MS,
  REQUEST_COUNTERS,
  type RequestCounter,
} from '../../core/traffic/traffic-counts.ts';
import type { TrafficInterval } from '../../core/traffic/traffic-range.ts';

/** The counts of a subject in an hour or a day. */
export type TrafficRow = TrafficKey &
  Record<RequestCounter | LatencyColumn, number> & {
    /** In an app's row, its busiest domains as JSON: pairs of id and requests, most requests first. Null in a domain's row. */
    top: string | null;
  };

export interface TrafficKey {
  /** The id of a domain, or the id of an app for the sum of its domains in the mode. */
  subject_id: string;
  mode: Mode;
  interval: TrafficInterval;
  start: number;
  app_id: string;
}

/** A process that counts traffic, with the number of its latest batch. A process writes its batches in order. */
export interface TrafficWriterRow {
  id: string;
  last_batch: number;
  written_at: number;
}

type Bound = (typeof LATENCY_BOUNDS_MS)[number];
export type LatencyColumn = `within_${Bound}_ms` | 'slower';

/** The columns of the counts, in the order of `TrafficCounts`. */
export const COUNT_COLUMNS = [
  ...REQUEST_COUNTERS,
  ...LATENCY_BOUNDS_MS.map((bound) => `within_${bound}_ms` as const),
  'slower',
] as const;

/** The id of a domain, and the number of its requests in an hour or a day. */
type BusyDomain = readonly [domainId: string, requests: number];

/** Parses the column `top` of an app's row. Returns the app's busiest domains; none if `top` is null. */
export function busyDomains(top: TrafficRow['top']): readonly BusyDomain[] {
  return top === null ? [] : JSON.parse(top);
}

/** Returns up to `limit` domains with the most requests, most requests first. @param requests the number of requests by domain id. */
export function busiest(requests: ReadonlyMap<string, number>, limit: number): readonly BusyDomain[] {
  return [...requests]
    .sort(([id, count], [otherId, otherCount]) => otherCount - count || (id < otherId ? -1 : 1))
    .slice(0, limit);
}
