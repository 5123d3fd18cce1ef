import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store, Tx } from './store.ts';

/**
 * A point in the order of commits: everything that a reader had seen. A transaction takes its numbers and its times long before it is
 * committed, so no column that it writes itself can be such a point (`decisions/0085`).
 */
export interface Mark {
  /** Identifies the server and the table. It changes with a restart, a failover and a restore. Marks with another source mean nothing. */
  source: string;
  /** On Postgres a `pg_snapshot` (PostgreSQL 15, section 9.27.8), on SQLite the number of the last write. */
  snapshot: string;
}

/** A table whose rows can be read in the order of commits. Its column `xid` identifies the transaction that wrote the row. */
export type CommittedTable = 'events' | 'route_changes';

/** The order of commits in one of the two databases. */
export interface CommitOrder {
  /** The statements that add the column `xid` to a table. */
  columns(table: CommittedTable): string[];
  source(table: CommittedTable): RawBuilder<string>;
  snapshot: RawBuilder<string>;
  /** Ranges of `xid` that do not overlap. Together, they hold the rows that are not visible in a snapshot. */
  since(snapshot: string): RawBuilder<SqlBool>[];
  /** The rows that are visible in a snapshot. Null stands for the snapshot of the statement. */
  within(snapshot: string | null): RawBuilder<SqlBool>;
  /** Returns whether a text is a snapshot, so that no statement with it fails. */
  isSnapshot(text: string): boolean;
}

export const SNAPSHOTS: CommitOrder = {
  columns: (table) => [`alter table ${table} add column xid xid8 not null default pg_current_xact_id()`],
  // After a crash, the server may use its last ids again.
  source: (table) =>
    sql`extract(epoch from pg_postmaster_start_time()) || ' ' || ${sql.lit(table)}::regclass::oid`,
  snapshot: sql`pg_current_snapshot()::text`,
  // The ids are values, so that the planner sees how few there are. A subquery could return any number of ids.
  since(snapshot) {
    const [, xmax = '', xip = ''] = snapshot.split(':');
    return [
      sql`xid >= ${xmax}::xid8`,
      ...(xip === '' ? [] : [sql<SqlBool>`xid = any(${`{${xip}}`}::xid8[])`]),
    ];
  },
  within: (snapshot) =>
    snapshot === null
      ? sql`pg_visible_in_snapshot(xid, pg_current_snapshot())`
      : sql`pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)`,
  isSnapshot: (text) => FORM.test(text) && isOrdered(text),
};

/** `xmin:xmax:xip,…`. Postgres reads an id with a leading zero as octal. */
const FORM = /^[1-9]\d{0,14}:[1-9]\d{0,14}:([1-9]\d{0,14}(,[1-9]\d{0,14})*)?$/;

/** Checks that the ids of a snapshot are in order. */
function isOrdered(snapshot: string): boolean {
  const [xmin = 0, xmax = 0, ...xip] = snapshot.split(/[:,]/).filter(Boolean).map(Number);
  return xmin > 0 && xmin <= xmax && xip.every((id, at) => id < xmax && id >= (xip[at - 1] ?? xmin));
}

/**
 * SQLite has one writer, so the order of its writes is the order of its commits. The numbers go on after all rows are deleted, but begin
 * again in another file. So each opening of a file has its own `source`.
 */
export const NUMBERS: CommitOrder = {
  columns: (table) => [
    'create table if not exists commit_order (last integer not null)',
    'insert into commit_order select 0 where not exists (select 1 from commit_order)',
    `alter table ${table} add column xid integer not null default 0`,
    `create trigger ${table}_xid after insert on ${table} begin
      update commit_order set last = last + 1;
      update ${table} set xid = (select last from commit_order) where rowid = new.rowid;
    end`,
  ],
  source: () => sql`(select id from temp.opening)`,
  snapshot: sql`(select cast(last as text) from commit_order)`,
  since: (snapshot) => [sql`xid > ${Number(snapshot)}`],
  within: (snapshot) => (snapshot === null ? sql`true` : sql`xid <= ${Number(snapshot)}`),
  isSnapshot: (text) => /^\d{1,15}$/.test(text),
};

/** Returns the mark after everything that is committed now. */
export async function currentMark({ db, flags }: Store, table: CommittedTable): Promise<Mark> {
  const { source, snapshot } = flags.commits;
  const { rows } = await sql<Mark>`select ${source(table)} as source, ${snapshot} as snapshot`.execute(db);
  return rows[0] as Mark;
}

/** Selects the rows that were committed after `since` and, unless `until` is null, before `until`. */
export interface CommitRange {
  since: Mark;
  until: Mark | null;
}

/**
 * Reads the rows of a range, and the current mark, in one statement. The rows mean nothing if the mark has another source than the range.
 * @param select selects the rows of a condition.
 * @param rest the end of the statement: the order and the limit.
 */
export async function readCommitted<Row extends object>(
  { db, flags }: Store,
  table: CommittedTable,
  { since, until }: CommitRange,
  select: (where: RawBuilder<SqlBool>) => RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<{ now: Mark; rows: Row[] }> {
  const { source, snapshot, since: rangesSince, within } = flags.commits;
  const ranges = rangesSince(since.snapshot).map((range) =>
    select(sql`${range} and ${within(until?.snapshot ?? null)}`),
  );
  const { rows } = await sql<Mark & { is_row: number | null }>`
    select now.*, read.* from (select ${source(table)} as source, ${snapshot} as snapshot) now
    left join (select 1 as is_row, ranges.* from (${sql.join(ranges, sql` union all `)}) ranges ${rest}) read on true`.execute(
    db,
  );
  const { source: from = '', snapshot: at = '' } = rows[0] ?? {};
  const read = rows.flatMap(({ source: _from, snapshot: _at, is_row, ...row }) =>
    is_row === null ? [] : row,
  );
  return { now: { source: from, snapshot: at }, rows: read as Row[] };
}

/** Makes restored rows older than every new one: their ids come from another server, and new rows must not look older. */
export async function resetRestored({ db, flags }: Tx): Promise<void> {
  if (!flags.rowLocks) return;
  const isAhead = sql`xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  await sql`update route_changes set xid = pg_current_xact_id() where ${isAhead}`.execute(db);
  // Looks at the newest row of each app, so that the cost does not depend on the number of events.
  await sql`
    update events set xid = pg_current_xact_id() where ${isAhead} and (app_id, mode) in (
      select apps.id, newest.mode from apps, (values ('live'), ('test')) as modes (name), lateral (
        select mode, xid from events where app_id = apps.id and mode = modes.name order by app_id desc, mode desc, xid desc limit 1
      ) newest where ${isAhead})`.execute(db);
}
