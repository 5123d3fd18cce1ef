import { type ReactElement, useState } from 'react';
import { bytesText } from '../../../core/text/decode-text.ts';
import type { DomainTraffic, Traffic, TrafficCountsResource } from '../../../schema/traffic.ts';
import { Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { type DataColumn, Table } from '../parts/table.tsx';
import { bucketText, groupedCount, TrafficChart } from '../parts/traffic-chart.tsx';
import { useApi, useViewPath } from '../scope.ts';

const RANGES = [
  ['hour', '24 hours'],
  ['day', '30 days'],
] as const;
const DOMAINS_SHOWN = 5;

/** Shows the traffic of one domain. */
export function DomainTrafficSection({ path }: { path: string }): ReactElement | null {
  const [interval, setShown] = useState<Interval>('hour');
  const { value } = useApi<DomainTraffic>(`${path}/traffic?interval=${interval}`);
  if (value === null) return null;
  return (
    <Section title="Traffic" aside={<RangeSwitch shown={interval} onChange={setShown} />}>
      <TrafficView of={value} />
    </Section>
  );
}

/** Shows the traffic of all domains, and links to those with the most requests. */
export function AppTrafficSection(): ReactElement | null {
  const [interval, setShown] = useState<Interval>('hour');
  const viewPath = useViewPath();
  const { value } = useApi<Traffic>(`/traffic?interval=${interval}&limit=${DOMAINS_SHOWN}`);
  if (value === null) return null;
  return (
    <Section title="Traffic" aside={<RangeSwitch shown={interval} onChange={setShown} />}>
      <TrafficView of={value} />
      {value.top_domains.length === 0 ? null : (
        <>
          <h3>Busiest domains</h3>
          <ul className="plain">
            {value.top_domains.map(({ domain_id: id, hostname, requests }) => {
              const words = (
                <>
                  <span className="row-main">{hostname ?? 'A deleted domain'}</span>
                  <span className="muted">
                    {groupedCount(requests)} {requests === 1 ? 'request' : 'requests'}
                  </span>
                </>
              );
              return (
                <li key={id}>
                  {hostname === null ? (
                    <p className="row-link">{words}</p>
                  ) : (
                    <Link className="row-link" href={viewPath('domains', id)}>
                      {words}
                    </Link>
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Section>
  );
}

type Interval = (typeof RANGES)[number][0];

function RangeSwitch(input: { shown: Interval; onChange: (interval: Interval) => void }): ReactElement {
  return (
    <div className="range">
      {RANGES.map(([interval, words]) => (
        <button
          key={interval}
          type="button"
          aria-pressed={interval === input.shown}
          onClick={() => input.onChange(interval)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

function TrafficView({ of: traffic }: { of: DomainTraffic | Traffic }): ReactElement {
  const { totals, interval } = traffic;
  if (totals.requests === 0) {
    return <p className="muted">No requests in the last {interval === 'day' ? '30 days' : '24 hours'}.</p>;
  }
  return (
    <>
      <dl className="sums">
        {sums(totals).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <TrafficChart of={traffic} />
      <details>
        <summary>{interval === 'day' ? 'Each day' : 'Each hour'}</summary>
        <BucketTable of={traffic} />
      </details>
    </>
  );
}

function sums({ requests, bytes_out, origin_errors, latency_p95_ms }: TrafficCountsResource) {
  return [
    ['Requests', groupedCount(requests)],
    ['Sent', bytesText(bytes_out)],
    ['Origin errors', groupedCount(origin_errors)],
    ['Latency, 95 %', latency_p95_ms === null ? 'none' : milliseconds(latency_p95_ms)],
  ] as const;
}

const COLUMNS: readonly DataColumn<TrafficCountsResource>[] = [
  ['Requests', ({ requests }) => groupedCount(requests)],
  ['4xx', ({ status_4xx }) => groupedCount(status_4xx)],
  ['5xx', ({ status_5xx }) => groupedCount(status_5xx)],
  ['Origin errors', ({ origin_errors }) => groupedCount(origin_errors)],
  ['Sent', ({ bytes_out }) => bytesText(bytes_out)],
  ['Latency, 95 %', ({ latency_p95_ms }) => (latency_p95_ms === null ? null : milliseconds(latency_p95_ms))],
];

/** Lists the hours or days with requests, newest first. */
function BucketTable({ of: { buckets, interval } }: { of: DomainTraffic | Traffic }): ReactElement {
  const startOf = ({ start }: { start: string }) => bucketText(start, interval);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table
    <section className="traffic-table" aria-label="Traffic as a table" tabIndex={0}>
      <Table
        caption="Traffic as a table"
        columns={[[interval === 'day' ? 'Day (UTC)' : 'Hour (UTC)', startOf], ...COLUMNS]}
        rows={buckets.filter(({ requests }) => requests > 0).toReversed()}
        keyOf={({ start }) => start}
      />
    </section>
  );
}

function milliseconds(value: number): string {
  return `${groupedCount(value)} ms`;
}
