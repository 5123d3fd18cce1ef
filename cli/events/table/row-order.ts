import { isOpen, type ViewFilter } from '../view/event-filter.ts';
import { CELL, type Cell } from './cells.ts';
import { type EventTable, tableCell } from './event-table.ts';
import { createRowCursor } from './row-cursor.ts';

export type Sort = 'time' | 'host' | 'type' | 'delivery';

/** The numbers of the rows that are shown, in the order of the list. Null means all rows in the order of time. */
export type RowOrder = Uint32Array | null;

/** Returns the rows that match the filter, sorted. Gaps always match. Rows that are equal in the sort stay in the order of time. */
export function rowOrder(table: EventTable, filter: ViewFilter, sort: Sort): RowOrder {
  if (isOpen(filter) && sort === 'time') return null;
  const rows = matchingRows(table, filter, table.first);
  return sort === 'time' ? rows : sorted(table, rows, sort);
}

/** Returns the order after rows were added at the end, or dropped at the start, without looking at the other rows again. */
export function extendedOrder(
  order: RowOrder,
  table: EventTable,
  filter: ViewFilter,
  from: number,
): RowOrder {
  if (order === null) return null;
  const kept = order.subarray(lowerIndex(order, table.first));
  const fresh = matchingRows(table, filter, from);
  const rows = new Uint32Array(kept.length + fresh.length);
  rows.set(kept);
  rows.set(fresh, kept.length);
  return rows;
}

export function orderLength(order: RowOrder, table: EventTable): number {
  return order === null ? table.end - table.first : order.length;
}

/** Returns the row number at an index of the list; null outside of it. */
export function rowAtIndex(order: RowOrder, table: EventTable, index: number): number | null {
  if (index < 0 || index >= orderLength(order, table)) return null;
  return order === null ? table.first + index : (order[index] ?? null);
}

/** Returns the index of a row in the list. If it is not shown, returns the index of the next one, or -1 if the list is sorted. */
export function indexOfRow(order: RowOrder, table: EventTable, sort: Sort, row: number): number {
  if (order === null) return row - table.first;
  return sort === 'time' ? lowerIndex(order, row) : order.indexOf(row);
}

function matchingRows(table: EventTable, filter: ViewFilter, from: number): Uint32Array {
  const rows = new Uint32Array(table.end - from);
  const cursor = createRowCursor(table);
  let count = 0;
  for (cursor.row = from; cursor.row < table.end; cursor.row++) {
    const isGap = tableCell(table, cursor.row, CELL.type) === null;
    if (isGap || filter.matches(cursor.event)) rows[count++] = cursor.row;
  }
  return rows.slice(0, count);
}

/** Sorts by rank, which takes one pass over the rows: there are far fewer different values than rows. */
function sorted(table: EventTable, rows: Uint32Array, sort: Exclude<Sort, 'time'>): Uint32Array {
  const value = (row: number) => SORT_VALUES[sort]((field) => tableCell(table, row, field));
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const key = value(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const keys = [...groups.keys()].sort();
  return Uint32Array.from(keys.flatMap((key) => groups.get(key) ?? []));
}

type ReadCell = (field: number) => Cell;

/** The texts to sort by. Failed deliveries come first, then those that wait for a retry. */
const SORT_VALUES: Record<Exclude<Sort, 'time'>, (cell: ReadCell) => string> = {
  host: (cell) => String(cell(CELL.hostname) ?? ''),
  type: (cell) => String(cell(CELL.type) ?? ''),
  delivery: (cell) => {
    const status = String(cell(CELL.delivery_status) ?? '');
    const rank = ['failed', 'pending', 'none', 'delivered'].indexOf(status);
    return `${rank} ${status} ${cell(CELL.last_status_code) ?? cell(CELL.last_error) ?? ''}`;
  },
};

function lowerIndex(order: Uint32Array, row: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((order[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
