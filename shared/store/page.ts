import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Position } from '../core/cursor.ts';
import type { KeyId } from '../core/ids.ts';
import type { Tables } from './tables.ts';

/** A request for one page of a list. */
export interface PageRequest {
  limit: number;
  after: Position | null;
}

/** One page of a list, and the position at which the next page starts. */
export interface RowPage<T> {
  rows: T[];
  next: Position | null;
}

/** Compares the columns as one tuple, because both databases use the index for such a comparison. */
export function olderThan(eb: ExpressionBuilder<Tables, 'api_keys'>, after: Position): Expression<SqlBool> {
  return eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.created_at, after.id as KeyId));
}

/** Turns rows into a page. Removes the extra row, which was read to find out whether there is a next page. */
export function toPage<T extends Position>(rows: T[], limit: number): RowPage<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last ? { created_at: last.created_at, id: last.id } : null;
  return { rows: page, next };
}
