import type { Mode } from '../../core/domains/status.ts';
import type { RequestCounter } from '../../core/traffic/traffic-counts.ts';
import type { TrafficInterval } from '../../core/traffic/traffic-range.ts';
import type { LatencyColumn } from './traffic-columns.ts';

/** The counts of a subject in an hour or a day. */
export type TrafficRow = TrafficKey &
  Record<RequestCounter | LatencyColumn, number> & {
    /** In an app's row, its busiest domains as JSON: pairs of id and requests, most requests first. Null in a domain's row. */
    top: string | null;
  };

export interface TrafficKey {
  /** A domain, or an app for the sum of its domains in the mode. */
  subject_id: string;
  mode: Mode;
  interval: TrafficInterval;
  start: number;
  app_id: string;
}

/** A process that counts traffic, with the number of its latest batch. It writes its batches in order. */
export interface TrafficWriterRow {
  id: string;
  last_batch: number;
  written_at: number;
}
