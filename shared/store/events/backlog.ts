import { sql } from 'kysely';
import { JOB_KINDS, type JobKind } from '../../core/domains/job.ts';
import type { Instant } from '../../core/instant.ts';
import { unionOfKinds } from '../jobs/union-of-kinds.ts';
import type { Store } from '../store.ts';

/** Work that is due and has not been done. */
export interface Backlog {
  jobs_due: number;
  /** How late the most overdue job is. 0 if no job is due. */
  jobs_late_ms: number;
  lanes_due: number;
  lanes_late_ms: number;
  events_pending: number;
}

/** Counting stops here. An alert needs no higher number, and counting millions of rows is expensive. */
const COUNTED_MAX = 100_000;

/** Returns the backlog. Reads only index entries, up to a limit. */
export async function readBacklog(store: Store, now: Instant): Promise<Backlog> {
  const due = (kind: JobKind) =>
    sql`select due_at from jobs where kind = ${sql.lit(kind)} and due_at <= ${now} order by due_at`;
  const jobs = unionOfKinds(JOB_KINDS, (kind) => sql`${due(kind)} limit ${COUNTED_MAX}`);
  const firstJobs = unionOfKinds(JOB_KINDS, (kind) => sql`${due(kind)} limit 1`);
  const { rows } = await sql<
    Omit<Backlog, 'jobs_late_ms' | 'lanes_late_ms'> & { job: number | null; lane: number | null }
  >`
    select
      (select count(*) from (select 1 from (${jobs}) j limit ${COUNTED_MAX}) j) as jobs_due,
      (select min(due_at) from (${firstJobs}) j) as job,
      (select count(*) from (select 1 from lanes where due_at <= ${now} limit ${COUNTED_MAX}) l) as lanes_due,
      (select min(due_at) from lanes where due_at <= ${now}) as lane,
      (select count(*) from (select 1 from events where delivery_status = 'pending' limit ${COUNTED_MAX}) e) as events_pending`.execute(
    store.db,
  );
  const row = rows[0];
  return {
    jobs_due: row?.jobs_due ?? 0,
    jobs_late_ms: row?.job == null ? 0 : now - row.job,
    lanes_due: row?.lanes_due ?? 0,
    lanes_late_ms: row?.lane == null ? 0 : now - row.lane,
    events_pending: row?.events_pending ?? 0,
  };
}

/** The number of an app's domains whose next event is due and not claimed. */
export interface AppBacklog {
  app_id: string;
  lanes_due: number;
  late_ms: number;
}

/** Lists the apps with due deliveries, the longest wait first. Reads due lanes only up to the same limit. */
export async function readBacklogByApp(store: Store, now: Instant, limit: number): Promise<AppBacklog[]> {
  const { rows } = await sql<{ app_id: string; lanes_due: number; due_at: Instant }>`
    select app_id, count(*) as lanes_due, min(due_at) as due_at
    from (
      select app_id, due_at from lanes where due_at <= ${now} order by due_at limit ${COUNTED_MAX}
    ) due
    group by app_id order by due_at, app_id limit ${limit}`.execute(store.db);
  return rows.map(({ app_id, lanes_due, due_at }) => ({ app_id, lanes_due, late_ms: now - due_at }));
}
