import type { ReactElement } from 'react';
import type { DomainTraffic } from '../../../schema/traffic.ts';
import { shortTime } from '../times.tsx';
import { PLOT, TRAFFIC_PARTS, trafficBars } from './traffic-bars.ts';

type Charted = Pick<DomainTraffic, 'interval' | 'buckets' | 'totals'>;

/** Draws the requests of each hour or day as bars, split by how they ended. The table beside it has the same numbers. */
export function TrafficChart({ of: { interval, buckets, totals } }: { of: Charted }): ReactElement | null {
  const [first] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return null;
  const bars = trafficBars(buckets);
  const most = bars.reduce((busiest, bar) => (bar.requests > busiest.requests ? bar : busiest));
  const summary = `Requests by ${interval}: ${groupedCount(totals.requests)} in all, at most ${groupedCount(most.requests)}, at ${bucketText(most.start, interval)}.`;
  return (
    <figure className="chart">
      <p className="chart-most">
        <span>{groupedCount(most.requests)} requests</span>
        <span>most, at {bucketText(most.start, interval)}</span>
      </p>
      <div className="chart-plot">
        <svg
          viewBox={`0 0 ${bars.length} ${PLOT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
          focusable="false"
        >
          {bars.map(({ start, requests, parts }, at) => (
            <g key={start}>
              <title>{`${bucketText(start, interval)}: ${groupedCount(requests)} requests`}</title>
              <rect x={at} y={0} width={1} height={PLOT} fill="transparent" />
              {parts.map(({ kind, y, height }) => (
                <rect key={kind} className={`part-${kind}`} x={at + 0.1} y={y} width={0.8} height={height} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <p className="chart-times">
        <span>{bucketText(first.start, interval)}</span>
        <span>{bucketText(last.start, interval)}</span>
      </p>
      <ul className="legend">
        {TRAFFIC_PARTS.filter(({ of }) => of(totals) > 0).map(({ kind, label, of }) => (
          <li key={kind}>
            <svg viewBox="0 0 1 1" aria-hidden="true">
              <rect className={`part-${kind}`} width={1} height={1} />
            </svg>
            {label}: {groupedCount(of(totals))}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Formats the start of an hour in the reader's time zone, or of a day in UTC. */
export function bucketText(start: string, interval: string): string {
  return interval === 'day' ? start.slice(0, 10) : shortTime(Date.parse(start)).replace(/:\d\d$/, '');
}

export function groupedCount(value: number): string {
  return value.toLocaleString('en');
}
