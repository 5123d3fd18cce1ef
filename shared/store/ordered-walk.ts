import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Position } from '../core/cursor.ts';
import type { StoredEvent } from '../core/webhooks/delivery.ts';
import { CHECKED_AT, type CheckedDomainRow } from './domains/domains.ts';
import { type PageRequest, type RowPage, toPage } from './page.ts';
import type { Store } from './store.ts';

/** A filter of a list: the rows that match the filter, and a check of a single row that another filter found. */
export interface ListFilter {
  table: 'domains' | 'domain_metadata' | 'events';
  /** The column that holds the id of the listed row. */
  idColumn: 'id' | 'domain_id';
  /** Conditions on the columns of one index. Unless `range` is set, the index sorts the rows in page order, by (`created_at`, id). */
  where: RawBuilder<SqlBool>;
  /**
   * Set if the rows are a range of an index that is not in page order: the column by which the index is sorted, and further conditions on
   * the rows.
   */
  range: { sortedBy: 'hostname'; where: RawBuilder<SqlBool> } | null;
  /**
   * The condition that the row `walked.id` matches the filter. It is a scalar subquery, so the planner has to execute it as one lookup for
   * each row.
   */
  passes: RawBuilder<SqlBool>;
}

/** A scan of the rows of one filter. The other filters are checked on each row. */
interface Walk {
  filter: ListFilter;
  /** The last row to examine; null if all rows are examined. */
  until: Position | null;
}

/** The row type of each list. */
interface ListedRows {
  domains: CheckedDomainRow;
  events: StoredEvent;
}

const LISTED_COLUMNS = { domains: sql`domains.*, ${CHECKED_AT}`, events: sql`events.*` } as const;

/** Largest number of lookups for one page of several filters. Each examined row takes one lookup for each other filter. */
export const LOOKUPS_MAX = 1000;

/**
 * Reads one page of the rows that match all filters, newest first. With one filter, scans the index of that filter. With several, scans the
 * index of the filter whose rows reach furthest back in time, for a limited number of rows. So the work is bounded for any data
 * (`decisions/0021`).
 * @param filters at least one of them must be in page order.
 * @returns a page that may be short or empty and still have a next page.
 */
export async function readFilteredPage<T extends 'domains' | 'events'>(
  store: Store,
  table: T,
  filters: readonly [ListFilter, ...ListFilter[]],
  page: PageRequest,
): Promise<RowPage<ListedRows[T] & Position>> {
  const { filter, until } =
    filters.length === 1 ? { filter: filters[0], until: null } : await chooseWalk(store, filters, page.after);
  const checks = filters.filter((other) => other !== filter).map(({ passes }) => passes);
  const { rows } = await sql<ListedRows[T] & Position>`
    select ${LISTED_COLUMNS[table]} from (
      select created_at, id from (${walkedRows(filter, page.after, until)}) walked
      where ${sql.join([sql`true`, ...checks], sql` and `)}
      order by created_at desc, id desc limit ${page.limit + 1}
    ) found
    join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = found.id
    order by found.created_at desc, found.id desc`.execute(store.db);
  const { rows: shown, next } = toPage(rows, page.limit);
  return { rows: shown, next: next ?? until };
}

function walkedRows(
  { table, idColumn, where, range }: ListFilter,
  after: Position | null,
  until: Position | null,
): RawBuilder<unknown> {
  const position = sql`(created_at, ${sql.ref(idColumn)})`;
  const between = sql.join(
    [
      ...(after === null ? [] : [sql`${position} < (${after.created_at}, ${after.id})`]),
      ...(until === null ? [] : [sql`${position} >= (${until.created_at}, ${until.id})`]),
    ].map((condition) => sql` and ${condition}`),
    sql``,
  );
  if (range === null) {
    return sql`select created_at, ${sql.ref(idColumn)} as id from ${sql.table(table)} where ${where} ${between}`;
  }
  // The range is known to be short. The inner query has the order of one index and a limit, so that the planner chooses that index. The
  // query lists its columns, because SQLite would decode every column of each row for `*`.
  return sql`
    select created_at, id from (
      select created_at, ${sql.ref(idColumn)} as id, mode from ${sql.table(table)} where ${where} order by ${sql.ref(range.sortedBy)} limit ${sql.lit(2 * LOOKUPS_MAX)}
    ) in_range where ${range.where} ${between}`;
}

/**
 * Chooses the filter whose rows to scan: a filter whose rows all fit in one scan, else the filter whose scan reaches furthest back in time.
 */
async function chooseWalk(
  store: Store,
  filters: readonly ListFilter[],
  after: Position | null,
): Promise<Walk> {
  const examined = Math.ceil(LOOKUPS_MAX / (filters.length - 1));
  const ends = filters.map(
    (filter, index) => sql`select * from (${endOfWalk(filter, index, after, examined)}) e`,
  );
  const { rows } = await sql<Position & { filter: number }>`${sql.join(ends, sql` union all `)}`.execute(
    store.db,
  );
  let furthest: Walk | null = null;
  for (const [index, filter] of filters.entries()) {
    const end = rows.find((row) => row.filter === index);
    if (end === undefined) return { filter, until: null };
    if (filter.range === null && (furthest?.until == null || isOlder(end, furthest.until)))
      furthest = { filter, until: { created_at: end.created_at, id: end.id } };
  }
  if (furthest === null) throw new TypeError('A list needs a filter in page order');
  return furthest;
}

/**
 * Selects the last row of a scan; no row if the scan reaches the end. For a range, whose rows are not in page order, the selected values
 * mean nothing.
 */
function endOfWalk(
  filter: ListFilter,
  index: number,
  after: Position | null,
  examined: number,
): RawBuilder<unknown> {
  const { table, idColumn, where, range } = filter;
  const number = sql.lit(index);
  const last = sql`limit 1 offset ${sql.lit(examined - 1)}`;
  if (range !== null) {
    return sql`
      select ${number} as filter, 0 as created_at, '' as id from (
        select ${sql.ref(range.sortedBy)} from ${sql.table(table)} where ${where} order by ${sql.ref(range.sortedBy)} ${last}
      ) l`;
  }
  return sql`
    select ${number} as filter, created_at, id from (
      ${walkedRows(filter, after, null)} order by created_at desc, ${sql.ref(idColumn)} desc ${last}
    ) l`;
}

function isOlder(one: Position, other: Position): boolean {
  return one.created_at === other.created_at ? one.id < other.id : one.created_at < other.created_at;
}
