import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store, Tx } from './store.ts';

/**
 * A position in the order of commits: it separates the rows that were committed before a read from later rows. A sequence number or a time
 * cannot be such a position, because a transaction may commit long after it took the number or the time (`decisions/0085`).
 */
export interface Mark {
  /**
   * Identifies the running server and the table. Changes with a restart, a failover and a restore. A mark is valid only while the source is
   * the same.
   */
  source: string;
  /** On Postgres a `pg_snapshot` (PostgreSQL 15, section 9.27.8), on SQLite the number of the last write. */
  snapshot: string;
}

/** A table whose rows can be read in the order of commits. Its column `xid` identifies the transaction that wrote the row. */
export type CommittedTable = 'events' | 'edge_values';

/** The order of commits in one of the two databases. */
export interface CommitOrder {
  /** The statements that add the column `xid` to a table. */
  columns(table: CommittedTable): string[];
  source(table: CommittedTable): RawBuilder<string>;
  snapshot: RawBuilder<string>;
  /** Conditions that select the rows which are not visible in a snapshot, by `xid`. No row meets two of the conditions. */
  since(snapshot: string): RawBuilder<SqlBool>[];
  /** The condition for rows that are visible in a snapshot. Null stands for the snapshot of the statement itself. */
  within(snapshot: string | null): RawBuilder<SqlBool>;
  /** Returns whether a text is a valid snapshot, which a statement can use without an error. */
  isSnapshot(text: string): boolean;
}

export const SNAPSHOTS: CommitOrder = {
  columns: (table) => [`alter table ${table} add column xid xid8 not null default pg_current_xact_id()`],
  // The start time is part of the source, because a server may use its last transaction ids again after a crash.
  source: (table) =>
    sql`extract(epoch from pg_postmaster_start_time()) || ' ' || ${sql.lit(table)}::regclass::oid`,
  snapshot: sql`pg_current_snapshot()::text`,
  // The ids are passed as values, so that the planner knows how few there are. With a subquery, it would not know their number.
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

/** Returns whether the ids of a snapshot are in ascending order. */
function isOrdered(snapshot: string): boolean {
  const [xmin = 0, xmax = 0, ...xip] = snapshot.split(/[:,]/).filter(Boolean).map(Number);
  return xmin > 0 && xmin <= xmax && xip.every((id, at) => id < xmax && id >= (xip[at - 1] ?? xmin));
}

/**
 * The order of commits in SQLite, as consecutive numbers. SQLite has one writer, so rows are written in the order of commits. The numbers
 * begin again in another file, so `source` changes each time a file is opened.
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

/** Returns a mark that comes after all rows that are committed now. */
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
 * Reads the rows of a range, and the current mark, in one statement. If the source of this mark differs from the source of the range,
 * ignore the rows.
 * @param select returns a query for the rows that meet a condition.
 * @param rest the last clauses of the statement: the order and the limit.
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

/**
 * Gives restored rows a transaction id of this server. Their ids come from another server and may be higher than the ids of new rows, which
 * would then look older.
 */
export async function resetRestored({ db, flags }: Tx): Promise<void> {
  if (!flags.rowLocks) return;
  const isAhead = sql`xid >= pg_snapshot_xmax(pg_current_snapshot())`;
  await sql`update edge_values set xid = pg_current_xact_id() where ${isAhead}`.execute(db);
  // Compares the newest event of each app and mode first, so that the cost does not depend on the number of events.
  await sql`
    update events set xid = pg_current_xact_id() where ${isAhead} and (app_id, mode) in (
      select apps.id, newest.mode from apps, (values ('live'), ('test')) as modes (name), lateral (
        select mode, xid from events where app_id = apps.id and mode = modes.name order by app_id desc, mode desc, xid desc limit 1
      ) newest where ${isAhead})`.execute(db);
}
