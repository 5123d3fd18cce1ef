import type { DomainTraffic, TrafficCountsResource } from '../../../schema/traffic.ts';

type Bucket = DomainTraffic['buckets'][number];

/** The parts of a bar, from the bottom up: one for each way in which requests ended. */
export const TRAFFIC_PARTS = [
  {
    kind: 'fine',
    label: 'answered',
    of: (counts) => counts.status_1xx + counts.status_2xx + counts.status_3xx,
  },
  { kind: 'client', label: '4xx', of: (counts) => counts.status_4xx },
  { kind: 'server', label: '5xx', of: (counts) => counts.status_5xx },
  { kind: 'left', label: 'visitor left', of: (counts) => counts.aborted },
] as const satisfies readonly {
  kind: string;
  label: string;
  of: (counts: TrafficCountsResource) => number;
}[];

/** A bar of the chart. The plot is `PLOT` units high, and one unit wide for each hour or day. */
export interface TrafficBar {
  start: string;
  requests: number;
  parts: readonly { kind: string; y: number; height: number }[];
}

export const PLOT = 100;
/** The minimum height of a part with requests, so that it is visible. */
const HEIGHT_MIN = 1.5;

/** Returns a bar for each hour or day. The one with the most requests is as high as the plot. */
export function trafficBars(buckets: readonly Bucket[]): TrafficBar[] {
  const most = Math.max(1, ...buckets.map(({ requests }) => requests));
  return buckets.map((bucket) => {
    const heights = TRAFFIC_PARTS.map(({ kind, of }) => ({ kind, height: heightOf(of(bucket), most) }));
    const total = heights.reduce((sum, { height }) => sum + height, 0);
    // Shrinks the bar if the minimum heights of its parts make it higher than the plot.
    const scale = Math.min(1, PLOT / Math.max(1, total));
    let y = PLOT;
    const parts = heights
      .filter(({ height }) => height > 0)
      .map(({ kind, height }) => {
        y -= height * scale;
        return { kind, y, height: height * scale };
      });
    return { start: bucket.start, requests: bucket.requests, parts };
  });
}

function heightOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(HEIGHT_MIN, (PLOT * count) / most);
}
