import { sql } from 'kysely';
import type { AppId, DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { addTraffic, noTraffic, type TrafficCounts } from '../../core/traffic/traffic-counts.ts';
import type { TrafficRange } from '../../core/traffic/traffic-range.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import { COUNT_COLUMNS } from './traffic-columns.ts';

/** Traffic by the start of its hour or day. Periods without requests are missing. */
export type TrafficByStart = Map<Instant, TrafficCounts>;

export interface TopDomain {
  domain_id: DomainId;
  /** Null if the domain is deleted. */
  hostname: string | null;
  counts: TrafficCounts;
}

/** Reads the traffic of a domain, or of an app over all its domains, in a range. */
export async function readTraffic(
  { db }: Store,
  subject: DomainId | AppId,
  { mode }: Pick<Scope, 'mode'>,
  { interval, since, until }: TrafficRange,
): Promise<TrafficByStart> {
  const rows = await db
    .selectFrom('traffic')
    .select(['start', ...COUNT_COLUMNS])
    .where('subject_id', '=', subject)
    .where('mode', '=', mode)
    .where('interval', '=', interval)
    .where('start', '>=', since)
    .where('start', '<', until)
    .execute();
  return new Map(rows.map((row) => [row.start, countsOf(row)]));
}

/** Lists the domains of an app with the most requests in a range, most first. */
export async function listTopDomains(
  { db }: Store,
  scope: Scope,
  { interval, since, until }: TrafficRange,
  limit: number,
): Promise<TopDomain[]> {
  const found = db
    .selectFrom('traffic')
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .where('interval', '=', interval)
    .where('start', '>=', since)
    .where('start', '<', until)
    .whereRef('subject_id', '<>', 'app_id');
  const top = await found
    .select(['subject_id', sql<number>`sum(requests)`.as('total')])
    .groupBy('subject_id')
    .orderBy('total', 'desc')
    .orderBy('subject_id')
    .limit(limit)
    .execute();
  const ids = top.map(({ subject_id }) => subject_id);
  if (ids.length === 0) return [];
  const rows = await found
    .select(['subject_id', ...COUNT_COLUMNS])
    .where('subject_id', 'in', ids)
    .execute();
  const names = await db
    .selectFrom('domains')
    .select(['id', 'hostname'])
    .where('id', 'in', ids)
    .where('status', '<>', 'deleted')
    .execute();
  const counts = new Map(ids.map((id) => [id, noTraffic()]));
  for (const row of rows) addTraffic(counts.get(row.subject_id) ?? noTraffic(), countsOf(row));
  const hostnames = new Map(names.map(({ id, hostname }) => [id, hostname]));
  return Array.from(counts, ([id, each]) => ({
    domain_id: id as DomainId,
    hostname: hostnames.get(id) ?? null,
    counts: each,
  }));
}

function countsOf(row: Record<(typeof COUNT_COLUMNS)[number], number>): TrafficCounts {
  return Float64Array.from(COUNT_COLUMNS, (column) => row[column]);
}
