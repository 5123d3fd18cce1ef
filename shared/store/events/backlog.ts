import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { JOB_KINDS } from '../../core/domains/job.ts';
import type { Instant } from '../../core/instant.ts';
import { unionOfKinds } from '../jobs/union-of-kinds.ts';
import { QUEUED } from '../row-values.ts';
import type { Store } from '../store.ts';

/** Work that is due and has not been done. */
export interface Backlog extends DeliveryBacklog {
  jobs_due: number;
  /** How late the most overdue job is. 0 if no job is due. */
  jobs_late_ms: number;
}

export interface DeliveryBacklog {
  lanes_due: number;
  lanes_late_ms: number;
  events_pending: number;
}

/**
 * The maximum of each count in a metrics scrape. Each counted row may cost a read from disk, scrapes are frequent, and an alert needs no
 * higher number.
 */
export const SCRAPED_MAX = 1_000;
/** The maximum of each count in an operator's list. */
const LISTED_MAX = 100_000;

/** Returns the backlog of jobs and deliveries. Each count stops at `SCRAPED_MAX`, so that the cost does not grow with the backlog. */
export async function readBacklog(store: Store, now: Instant): Promise<Backlog> {
  // Checks the leases after the limit, because the index does not contain them. With a condition on leases inside the limit, the planner
  // may scan all jobs.
  const jobs = unionOfKinds(
    JOB_KINDS,
    (kind) => sql`
      select count(*) as due, min(due_at) as first_due from (
        select due_at, leased_until from jobs
        where kind = ${sql.lit(kind)} and ${QUEUED} and due_at <= ${now} order by due_at, subject_id limit ${SCRAPED_MAX}
      ) head where leased_until <= ${now}`,
  );
  const { rows } = await sql<{ due: number; first_due: Instant | null }>`
    select cast(sum(due) as integer) as due, min(first_due) as first_due from (${jobs}) by_kind`.execute(
    store.db,
  );
  return {
    jobs_due: Math.min(rows[0]?.due ?? 0, SCRAPED_MAX),
    jobs_late_ms: lateMs(rows[0]?.first_due, now),
    ...(await readDeliveryBacklog(store, now, SCRAPED_MAX)),
  };
}

async function readDeliveryBacklog(store: Store, now: Instant, countedMax: number): Promise<DeliveryBacklog> {
  const untaken = isUntaken(now);
  // The order makes the planner use an index. Without it, the planner may scan all events, because many of them match.
  const { rows } = await sql<{ lanes: number; lane: Instant | null; events: number }>`
    select
      (select count(*) from (select 1 from lanes where due_at <= ${now} and ${untaken} order by due_at limit ${countedMax}) l) as lanes,
      (select min(due_at) from lanes where ${untaken}) as lane,
      (select count(*) from (select 1 from events where delivery_status = 'pending' order by domain_id, seq limit ${countedMax}) e) as events`.execute(
    store.db,
  );
  return {
    lanes_due: rows[0]?.lanes ?? 0,
    lanes_late_ms: lateMs(rows[0]?.lane, now),
    events_pending: rows[0]?.events ?? 0,
  };
}

function lateMs(dueAt: Instant | null | undefined, now: Instant): number {
  return dueAt == null ? 0 : Math.max(0, now - dueAt);
}

/** The backlog of an app: the number of domains whose next event is due, but not claimed. */
export interface AppBacklog {
  app_id: string;
  lanes_due: number;
  late_ms: number;
}

/**
 * Returns the backlog of deliveries, and the apps with due deliveries, sorted by how late they are.
 * @param limit the maximum number of apps.
 */
export async function readBacklogByApp(
  store: Store,
  now: Instant,
  limit: number,
): Promise<{ backlog: DeliveryBacklog; apps: AppBacklog[] }> {
  const untaken = isUntaken(now);
  const { rows } = await sql<{ app_id: string; lanes_due: number; due_at: Instant }>`
    select app_id, count(*) as lanes_due, min(due_at) as due_at
    from (
      select app_id, due_at from lanes where due_at <= ${now} and ${untaken} order by due_at limit ${LISTED_MAX}
    ) due
    group by app_id order by due_at, app_id limit ${limit}`.execute(store.db);
  const apps = rows.map(({ app_id, lanes_due, due_at }) => ({ app_id, lanes_due, late_ms: now - due_at }));
  return { backlog: await readDeliveryBacklog(store, now, LISTED_MAX), apps };
}

function isUntaken(now: Instant): RawBuilder<SqlBool> {
  return sql`${QUEUED} and leased_until <= ${now}`;
}
