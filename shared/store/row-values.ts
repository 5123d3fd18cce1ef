import { type SqlBool, sql } from 'kysely';
import type { Flag } from './tables.ts';

/**
 * Values written into the statement itself: those that the condition of a partial index names, and limits. If they were parameters, SQLite
 * would plan the query again each time one is bound, which takes ten times as long as the query.
 */
export const DELETED = sql.lit<'deleted'>('deleted');
export const PENDING = sql.lit<'pending'>('pending');
export const ONE = sql.lit(1);

/** True of every row. A query that states it can use the index of the whole list, which has this condition. */
export const LISTED = sql<SqlBool>`created_at <> -1`;

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
