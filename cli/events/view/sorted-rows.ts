import type { EventResource } from '../../../shared/schema/event.ts';
import type { Row } from './event-rows.ts';

/** Merges rows in the order of their events: by time, then by id. A gap comes before the event that follows it. */
export function merged(rows: readonly Row[], fresh: readonly Row[]): Row[] {
  const [first] = fresh;
  const last = rows.at(-1);
  if (first === undefined) return [...rows];
  // The usual case: all new rows come after the existing ones.
  if (last === undefined || compare(last, first) < 0) return [...rows, ...fresh];
  return [...rows, ...fresh].sort(compare);
}

/** Returns the index of a row, or of the next row if it is missing. */
export function rowIndex(rows: readonly Row[], row: Row): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = rows[middle];
    if (found !== undefined && compare(found, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(one: Row, other: Row): number {
  const [a, b] = [eventOf(one), eventOf(other)];
  if (a.created_at !== b.created_at) {
    const difference = Date.parse(a.created_at) - Date.parse(b.created_at);
    if (difference !== 0) return difference;
  }
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return rank(one) - rank(other);
}

function eventOf(row: Row): EventResource {
  return row.kind === 'event' ? row.event : row.gap.before;
}

function rank({ kind }: Row): number {
  return kind === 'gap' ? 0 : 1;
}
