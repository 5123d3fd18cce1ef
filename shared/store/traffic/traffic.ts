import type { AppId, DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import {
  addTraffic,
  COUNTER_INDEX,
  noTraffic,
  type TrafficCounts,
} from '../../core/traffic/traffic-counts.ts';
import type { TrafficRange } from '../../core/traffic/traffic-range.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import { busiest, busyDomains, COUNT_COLUMNS } from './traffic-rows.ts';

/** Traffic by the start of its hour or day. Periods without requests are missing. */
export type TrafficByStart = Map<Instant, TrafficCounts>;

export interface TopDomain {
  domain_id: DomainId;
  /** The hostname of the domain; null if the domain is deleted. */
  hostname: string | null;
  counts: TrafficCounts;
}

/** Reads the traffic of a domain, or the sum of all domains of an app, in a range of time. */
export async function readTraffic(
  store: Store,
  subject: DomainId | AppId,
  { mode }: Pick<Scope, 'mode'>,
  range: TrafficRange,
): Promise<TrafficByStart> {
  const rows = await inRange(store, [subject], mode, range)
    .select(['start', ...COUNT_COLUMNS])
    .execute();
  return new Map(rows.map((row) => [row.start, countsOf(row)]));
}

/**
 * Returns the domains of an app with the most requests in a range, most requests first. Chooses them from the 100 busiest domains of each hour
 * or day, so that the cost does not grow with the number of domains (`decisions/0091`).
 */
export async function listTopDomains(
  store: Store,
  { app_id, mode }: Scope,
  range: TrafficRange,
  limit: number,
): Promise<TopDomain[]> {
  const { db } = store;
  const tops = await inRange(store, [app_id], mode, range).select('top').execute();
  const requests = new Map<string, number>();
  for (const { top } of tops)
    for (const [id, count] of busyDomains(top)) requests.set(id, (requests.get(id) ?? 0) + count);
  const ids = busiest(requests, limit).map(([id]) => id as DomainId);
  if (ids.length === 0) return [];
  const rows = await inRange(store, ids, mode, range)
    .select(['subject_id', ...COUNT_COLUMNS])
    .execute();
  const names = await db
    .selectFrom('domains')
    .select(['id', 'hostname'])
    .where('id', 'in', ids)
    .where('status', '<>', 'deleted')
    .execute();
  const counts = new Map<string, TrafficCounts>(ids.map((id) => [id, noTraffic()]));
  for (const row of rows) addTraffic(counts.get(row.subject_id) ?? noTraffic(), countsOf(row));
  const hostnames = new Map<string, string>(names.map(({ id, hostname }) => [id, hostname]));
  // The totals also contain hours in which a domain was not among the busiest, so sort again by the totals.
  const totals = new Map(Array.from(counts, ([id, each]) => [id, each[COUNTER_INDEX.requests] ?? 0]));
  return busiest(totals, limit).map(([id]) => ({
    domain_id: id as DomainId,
    hostname: hostnames.get(id) ?? null,
    counts: counts.get(id) ?? noTraffic(),
  }));
}

function inRange(
  { db }: Store,
  subjects: readonly string[],
  mode: Scope['mode'],
  { interval, since, until }: TrafficRange,
) {
  return db
    .selectFrom('traffic')
    .where('subject_id', 'in', subjects)
    .where('mode', '=', mode)
    .where('interval', '=', interval)
    .where('start', '>=', since)
    .where('start', '<', until);
}

function countsOf(row: Record<(typeof COUNT_COLUMNS)[number], number>): TrafficCounts {
  return Float64Array.from(COUNT_COLUMNS, (column) => row[column]);
}
