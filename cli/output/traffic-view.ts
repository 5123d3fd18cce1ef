import { bytesText } from '../../shared/core/text/decode-text.ts';
import { REQUEST_COUNTERS } from '../../shared/core/traffic/traffic-counts.ts';
import type { DomainTraffic, Traffic, TrafficCountsResource } from '../../shared/schema/traffic.ts';
import type { Formatting } from './output.ts';
import { plainText } from './plain-text.ts';
import type { TableColumn } from './table.ts';

type Counts = TrafficCountsResource;
type Bucket = DomainTraffic['buckets'][number];
type TopDomain = Traffic['top_domains'][number];

/** A row of the traffic summary. */
interface Metric {
  name: string;
  /** Returns the value of a period; null if the period has no value. */
  of: (counts: Counts) => number | null;
  format: (value: number) => string;
}

const METRICS: readonly Metric[] = [
  { name: 'requests', of: ({ requests }) => requests, format: grouped },
  { name: 'received', of: ({ bytes_in }) => bytes_in, format: bytesText },
  { name: 'sent', of: ({ bytes_out }) => bytes_out, format: bytesText },
  { name: '2xx', of: ({ status_2xx }) => status_2xx, format: grouped },
  { name: '3xx', of: ({ status_3xx }) => status_3xx, format: grouped },
  { name: '4xx', of: ({ status_4xx }) => status_4xx, format: grouped },
  { name: '5xx', of: ({ status_5xx }) => status_5xx, format: grouped },
  { name: 'origin errors', of: ({ origin_errors }) => origin_errors, format: grouped },
  { name: 'left early', of: ({ aborted }) => aborted, format: grouped },
  { name: 'latency p50', of: ({ latency_p50_ms }) => latency_p50_ms, format: msText },
  { name: 'latency p95', of: ({ latency_p95_ms }) => latency_p95_ms, format: msText },
];
/** Rows that are shown even if all their values are zero. */
const ALWAYS = ['requests', 'sent', '5xx', 'origin errors'];

/** The maximum width of a sparkline in terminal columns. */
const BARS_MAX = 48;
/** The width that the other cells of a summary row need, in terminal columns. */
const CELLS = 44;

/** Formats traffic: on a terminal a summary with sparklines, elsewhere a table of all hours or days. */
export function trafficLines(traffic: DomainTraffic | Traffic, output: Formatting): string[] {
  const isTerminal = Number.isFinite(output.width);
  const top = 'top_domains' in traffic ? traffic.top_domains : [];
  const tables = [
    isTerminal ? summaryLines(traffic, output) : output.table(traffic.buckets, BUCKET_COLUMNS),
    ...(top.length === 0 ? [] : [output.table(top, isTerminal ? TOP_COLUMNS : PLAIN_TOP_COLUMNS)]),
  ];
  return tables.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function summaryLines(traffic: DomainTraffic | Traffic, output: Formatting): string[] {
  const { totals, buckets, interval, since, until } = traffic;
  const whose = 'hostname' in traffic ? plainText(traffic.hostname) : 'All domains';
  const head = [output.paint('bold', whose), ...output.prose(periodText(since, until, interval)), ''];
  if (totals.requests === 0) return [...head, 'No requests in this time.'];
  const width = Math.max(8, Math.min(BARS_MAX, output.width - CELLS));
  const shown = METRICS.filter(({ name, of }) => ALWAYS.includes(name) || (of(totals) ?? 0) > 0);
  const columns: TableColumn<Metric>[] = [
    { name: 'what', value: ({ name }) => name },
    { name: 'total', value: ({ of, format }) => formatted(of(totals), format) },
    {
      name: `most by ${plainText(interval)}`,
      value: ({ of, format }) => formatted(largest(buckets, of), format),
    },
    {
      name: `by ${plainText(interval)}`,
      value: ({ of }) => sparkline(buckets.map(of), width),
      optional: true,
    },
  ];
  return [...head, ...output.table(shown, columns)];
}

function periodText(since: string, until: string, interval: string): string {
  const time = (text: string) =>
    plainText(text)
      .slice(0, interval === 'day' ? 10 : 16)
      .replace('T', ' ');
  return `${time(since)} to ${time(until)} UTC`;
}

function largest(buckets: readonly Bucket[], of: Metric['of']): number | null {
  const known = buckets.map(of).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function formatted(value: number | null, format: Metric['format']): string {
  return value === null ? '-' : format(value);
}

/** The columns of a period for programs, with the field names of the API. */
const COUNT_COLUMNS: readonly TableColumn<Counts>[] = (
  [...REQUEST_COUNTERS, 'latency_p50_ms', 'latency_p95_ms', 'latency_p99_ms'] as const
).map((name) => ({ name, value: (counts) => counts[name] }));

const BUCKET_COLUMNS: readonly TableColumn<Bucket>[] = [
  { name: 'start', value: ({ start }) => start, isTime: true },
  ...COUNT_COLUMNS,
];

const DOMAIN: TableColumn<TopDomain> = {
  name: 'domain',
  value: ({ hostname, domain_id }) => hostname ?? `${domain_id} (deleted)`,
  shrinks: true,
};

const PLAIN_TOP_COLUMNS: readonly TableColumn<TopDomain>[] = [DOMAIN, ...COUNT_COLUMNS];

const TOP_COLUMNS: readonly TableColumn<TopDomain>[] = [
  DOMAIN,
  { name: 'requests', value: ({ requests }) => grouped(requests) },
  { name: 'sent', value: ({ bytes_out }) => bytesText(bytes_out), optional: true },
  { name: '5xx', value: ({ status_5xx }) => grouped(status_5xx) },
  { name: 'origin errors', value: ({ origin_errors }) => grouped(origin_errors), optional: true },
  { name: 'p95', value: ({ latency_p95_ms }) => formatted(latency_p95_ms, msText), optional: true },
];

function grouped(value: number): string {
  return value.toLocaleString('en');
}

function msText(value: number): string {
  return `${grouped(value)} ms`;
}

/** The bars of a sparkline, from the lowest to the highest. The lowest bar means zero. */
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Draws values as a sparkline of at most `width` columns. The largest value gets a full bar, and null leaves a gap. */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const drawn = fitted(values, Math.max(1, width));
  const largest = Math.max(0, ...drawn.map((value) => value ?? 0));
  return drawn.map((value) => (value === null ? ' ' : barOf(value, largest))).join('');
}

/** Returns the bar of a value. A value above zero never gets the bar of zero. */
function barOf(value: number, largest: number): string {
  const height = value <= 0 ? 0 : Math.max(1, Math.round((value / largest) * (BARS.length - 1)));
  return BARS[height] ?? BARS[0];
}

/** Combines neighbouring values until they fit into `width`. Each group is shown by its largest value, so that no peak is lost. */
function fitted(values: readonly (number | null)[], width: number): (number | null)[] {
  const size = Math.ceil(values.length / width);
  if (size <= 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => {
    const known = values.slice(at * size, (at + 1) * size).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  });
}
