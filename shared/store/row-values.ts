import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Flag, RowOf } from './tables.ts';

/**
 * Values that appear as literals in a statement: limits, and values in the condition of a partial index. With a parameter, SQLite would
 * plan the query again each time it binds a value, which takes ten times as long as the query.
 */
export const DELETED = sql.lit<'deleted'>('deleted');
export const PENDING = sql.lit<'pending'>('pending');
export const ONE = sql.lit(1);

/**
 * Returns the operand of a `limit` that changes from run to run. SQLite would plan the statement again for each new number, so this hides
 * the number in a sum.
 */
export function atMost(rows: number): RawBuilder<number> {
  return sql<number>`(${rows} + 0)`;
}

/**
 * A condition that is true for every row. The index of the unfiltered list has this condition, so only queries with the same condition can
 * use that index.
 */
export const LISTED = sql<SqlBool>`created_at <> -1`;

/**
 * A condition that is true for every row in a queue. The indexes of `due_at` over all apps have this condition, so Postgres uses them only
 * for queries with the same condition. A query for one app cannot use them, and so never scans the rows of a larger app.
 */
export const QUEUED = sql<SqlBool>`due_at <> -1`;

/** The fields of an object that its row contains in another form. */
type Converted<T> = {
  [Name in keyof T as RowOf<T>[Name] extends T[Name] ? never : Name]: T[Name] extends boolean
    ? 'flag'
    : 'json';
};

/** Returns the functions that convert an object to its row, and back. @param columns the fields that a row contains in another form. */
export function rowMapper<T extends object>(columns: Converted<T>) {
  const converted = Object.entries(columns) as [keyof T, 'flag' | 'json'][];
  return {
    /** @param value an object, or only the fields to change. */
    toRow<Given extends Partial<T>>(value: Given): RowOf<Given> {
      const row: Partial<Record<keyof T, unknown>> = { ...value };
      for (const [name, form] of converted) {
        const given = row[name];
        if (given === undefined) continue;
        row[name] = form === 'flag' ? toFlag(given === true) : toJson(given as object | null);
      }
      return row as RowOf<Given>;
    },
    fromRow(row: RowOf<T>): T {
      const value: Record<keyof T, unknown> = { ...row };
      for (const [name, form] of converted)
        value[name] = form === 'flag' ? value[name] === 1 : fromJson(value[name] as string | null);
      return value as T;
    },
  };
}

/** Converts values to their form in a row: flags are 0 or 1, JSON is text. */
export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Parses what `toJson` wrote. The result is not checked, because only the repository writes these columns. */
export function fromJson<T extends object>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
