import type { ReactElement } from 'react';
import type { DomainTraffic } from '../../../schema/traffic.ts';
import { shortTime } from '../times.tsx';
import { PLOT, TRAFFIC_PARTS, trafficBars } from './traffic-bars.ts';

type Charted = Pick<DomainTraffic, 'interval' | 'buckets' | 'totals'>;

/** Draws the requests of each hour or day as bars, split by how they ended. The table beside it has the same numbers. */
export function TrafficChart({ of: { interval, buckets, totals } }: { of: Charted }): ReactElement | null {
  if (buckets.length === 0) return null;
  const bars = trafficBars(buckets);
  const most = bars.reduce((busiest, bar) => (bar.requests > busiest.requests ? bar : busiest));
  const summary = `Requests by ${interval}: ${groupedCount(totals.requests)} in all, at most ${groupedCount(most.requests)}, at ${bucketText(most.start, interval)}.`;
  const top = groupedCount(most.requests);
  return (
    <figure>
      <div className="chart">
        <p className="most" aria-hidden="true">
          <span>{top}</span>
          <span>{most.requests % 2 === 0 ? groupedCount(most.requests / 2) : ''}</span>
          <span>0</span>
        </p>
        <svg
          viewBox={`0 0 ${bars.length} ${PLOT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary}
          focusable="false"
        >
          <path
            className="lines-of"
            d={`M0 0H${bars.length}M0 ${PLOT / 2}H${bars.length}M0 ${PLOT}H${bars.length}`}
          />
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
        <p className="times" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75].map((share) => (
            <span key={share}>{tickText(bars[Math.floor(bars.length * share)]?.start ?? '', interval)}</span>
          ))}
          <span>now</span>
        </p>
      </div>
      <ul className="legend">
        {TRAFFIC_PARTS.filter(({ of }) => of(totals) > 0).map(({ kind, label, of }) => (
          <li key={kind}>
            <svg viewBox="0 0 1 1" aria-hidden="true">
              <rect className={`part-${kind}`} width={1} height={1} />
            </svg>
            {groupedCount(of(totals))} {label}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Formats the start of an hour as its time, or of a day as its date, for the axis of a chart. */
function tickText(start: string, interval: string): string {
  return interval === 'day' ? start.slice(5, 10) : start.slice(11, 16);
}

/** Formats the start of an hour or of a day, in UTC. */
export function bucketText(start: string, interval: string): string {
  return interval === 'day' ? start.slice(0, 10) : shortTime(Date.parse(start));
}

export function groupedCount(value: number): string {
  return value.toLocaleString('en');
}
