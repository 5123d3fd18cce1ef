import { type SqlBool, sql } from 'kysely';
import type { Flag } from './tables.ts';

/**
 * Values that stand in the statement itself: what the condition of a partial index names, and a limit. Behind a parameter
 * SQLite plans anew each time one is bound, in ten times the time of the query.
 */
export const DELETED = sql.lit<'deleted'>('deleted');
export const PENDING = sql.lit<'pending'>('pending');
export const ONE = sql.lit(1);

/** True of every row. A query that states it may use the index of the whole list, whose condition it is. */
export const LISTED = sql<SqlBool>`created_at <> -1`;

/** How values stand in a row of either database: flags as 0 and 1, JSON as text. */
export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** What `toJson` wrote; the type is the column's, which only the repository writes. */
export function fromJson<T extends object>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
