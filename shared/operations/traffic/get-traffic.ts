import { ServiceError } from '../../core/errors.ts';
import { timestamp } from '../../core/instant.ts';
import {
  addTraffic,
  COUNTER_INDEX,
  LATENCY_BOUNDS_MS,
  LATENCY_INDEX,
  latencyPercentile,
  noTraffic,
  REQUEST_COUNTERS,
  type RequestCounter,
  type TrafficCounts,
} from '../../core/traffic/traffic-counts.ts';
import { INTERVAL_MS, type TrafficRange, trafficRange } from '../../core/traffic/traffic-range.ts';
import type {
  DomainTraffic,
  DomainTrafficQuery,
  Traffic,
  TrafficCountsResource,
  TrafficQuery,
} from '../../schema/traffic.ts';
import { findDomain } from '../../store/domains/domains.ts';
import { listTopDomains, readTraffic, type TrafficByStart } from '../../store/traffic/traffic.ts';
import type { Answer, Caller, Context } from '../context.ts';

/** `docs/api.md#traffic`: GET /v1/domains/{id}/traffic. */
export async function getDomainTraffic(
  context: Context,
  caller: Caller,
  input: { params: { id: string }; query: DomainTrafficQuery },
): Promise<Answer<DomainTraffic>> {
  const domain = await findDomain(context.store, caller, input.params.id);
  if (domain === null) throw new ServiceError('not_found');
  const range = rangeOf(context, input.query);
  await context.traffic?.write();
  const found = await readTraffic(context.store, domain.id, caller, range);
  return {
    status: 200,
    body: { domain_id: domain.id, hostname: domain.hostname, ...presentRange(range, found) },
  };
}

/** `docs/api.md#traffic`: GET /v1/traffic. */
export async function getTraffic(
  context: Context,
  caller: Caller,
  input: { query: TrafficQuery },
): Promise<Answer<Traffic>> {
  const range = rangeOf(context, input.query);
  await context.traffic?.write();
  const found = await readTraffic(context.store, caller.app_id, caller, range);
  const top = await listTopDomains(context.store, caller, range, input.query.limit);
  const topDomains = top.map(({ counts, ...domain }) => ({ ...domain, ...presentCounts(counts) }));
  return { status: 200, body: { ...presentRange(range, found), top_domains: topDomains } };
}

/** @throws ServiceError `validation_failed` */
function rangeOf({ clock, settings }: Context, { interval, since, until }: DomainTrafficQuery): TrafficRange {
  const momentOf = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  const wanted = { interval, since: momentOf(since), until: momentOf(until) };
  return trafficRange(wanted, clock.now(), settings.trafficRetentionMs);
}

function presentRange({ interval, since, until }: TrafficRange, found: TrafficByStart) {
  const totals = noTraffic();
  for (const counts of found.values()) addTraffic(totals, counts);
  const stepMs = INTERVAL_MS[interval];
  const buckets = Array.from({ length: (until - since) / stepMs }, (_, index) => {
    const start = since + index * stepMs;
    return { start: timestamp(start), ...presentCounts(found.get(start) ?? noTraffic()) };
  });
  return {
    interval,
    since: timestamp(since),
    until: timestamp(until),
    latency_bounds_ms: [...LATENCY_BOUNDS_MS],
    totals: presentCounts(totals),
    buckets,
  };
}

/** Returns the JSON of traffic counts. */
function presentCounts(counts: TrafficCounts): TrafficCountsResource {
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
