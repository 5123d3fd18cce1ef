import type { EventResource } from '../../../shared/schema/event.ts';
import { CELL, CELLS_PER_ROW, type Cell, cellMs, cellsOf, rowOfCells, type TableRow } from './cells.ts';

/**
 * Rows in the order of their events: by time, then by id. A gap comes before the event that follows it. The table never changes: each
 * function returns a new one that shares the unchanged chunks. Rows are cells in a few arrays, because an object for each of 100 000 events
 * takes three times the memory.
 */
export interface EventTable {
  /** Chunks of `CHUNK_ROWS` rows. The first and the last one may be partly unused. */
  chunks: readonly (readonly Cell[])[];
  /** The number of the oldest row. Rows keep their numbers while newer ones are added and older ones are dropped. */
  first: number;
  /** The number after that of the newest row. */
  end: number;
}

export const EMPTY_TABLE: EventTable = { chunks: [], first: 0, end: 0 };

const CHUNK_ROWS = 512;

export function tableRow(table: EventTable, row: number): TableRow {
  return rowOfCells(chunkOf(table, row), offsetOf(row));
}

export function tableCell(table: EventTable, row: number, field: number): Cell {
  return chunkOf(table, row)[offsetOf(row) + field] ?? null;
}

/** Merges new rows into the table. */
export function withRows(table: EventTable, fresh: readonly TableRow[]): EventTable {
  const sorted = fresh.map((row) => cellsOf(row, shared)).sort(compareCells);
  const [oldest] = sorted;
  if (oldest === undefined) return table;
  const place = lowerBound(table, oldest);
  // The usual case is that all new rows come last.
  if (place === table.end) return appended(table, sorted);
  const tail = Array.from({ length: table.end - place }, (_, index) => cellsAt(table, place + index));
  return appended({ ...table, end: place }, [...tail, ...sorted].sort(compareCells));
}

/** Replaces the events that the table contains, by their ids and times. */
export function withChangedEvents(table: EventTable, changed: readonly EventResource[]): EventTable {
  const chunks = [...table.chunks];
  const copied = new Set<number>();
  for (const event of changed) {
    const row = findEventRow(table, event);
    if (row === null) continue;
    const at = chunkIndex(table, row);
    if (!copied.has(at)) chunks[at] = [...(chunks[at] ?? [])];
    copied.add(at);
    (chunks[at] as Cell[]).splice(offsetOf(row), CELLS_PER_ROW, ...cellsOf({ kind: 'event', event }, shared));
  }
  return copied.size === 0 ? table : { ...table, chunks };
}

/** Drops the oldest rows beyond a number of rows. */
export function withoutOldest(table: EventTable, rowsMax: number): EventTable {
  const first = Math.max(table.first, table.end - rowsMax);
  return { ...table, first, chunks: table.chunks.slice(chunkIndex(table, first)) };
}

/** Returns the number of the event's row; null if the table does not have it. */
export function findEventRow(
  table: EventTable,
  event: Pick<EventResource, 'id' | 'created_at'>,
): number | null {
  const row = rowFrom(table, { kind: 'event', event: event as EventResource });
  const isHere =
    row < table.end &&
    tableCell(table, row, CELL.id) === event.id &&
    tableCell(table, row, CELL.type) !== null;
  return isHere ? row : null;
}

/** Returns the number of a row, or of the next row if the table does not have it. */
export function rowFrom(table: EventTable, row: TableRow): number {
  return lowerBound(table, keyOf(row));
}

/** Returns the cells that decide the order. */
function keyOf(row: TableRow): Cell[] {
  const { id, created_at } = row.kind === 'event' ? row.event : row.gap.before;
  return [id, created_at, row.kind === 'event' ? row.event.type : null];
}

function appended(table: EventTable, rows: readonly (readonly Cell[])[]): EventTable {
  const chunks = [...table.chunks];
  let { end } = table;
  for (let taken = 0; taken < rows.length; ) {
    const part = rows.slice(taken, taken + CHUNK_ROWS - (end % CHUNK_ROWS));
    const at = chunkIndex(table, end);
    chunks[at] = [...(chunks[at] ?? []).slice(0, offsetOf(end)), ...part.flat()];
    taken += part.length;
    end += part.length;
  }
  return { ...table, chunks: chunks.slice(0, chunkIndex(table, end - 1) + 1), end };
}

function lowerBound(table: EventTable, key: readonly Cell[]): number {
  let low = table.first;
  let high = table.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCells(cellsAt(table, middle), key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareCells(one: readonly Cell[], other: readonly Cell[]): number {
  const [a, b] = [one[CELL.created_at] ?? null, other[CELL.created_at] ?? null];
  if (a !== b) {
    const difference = cellMs(a) - cellMs(b);
    if (difference !== 0) return difference;
  }
  const [idA, idB] = [String(one[CELL.id]), String(other[CELL.id])];
  if (idA !== idB) return idA < idB ? -1 : 1;
  return rank(one) - rank(other);
}

function rank(cells: readonly Cell[]): number {
  return cells[CELL.type] === null ? 0 : 1;
}

function cellsAt(table: EventTable, row: number): readonly Cell[] {
  const offset = offsetOf(row);
  return chunkOf(table, row).slice(offset, offset + CELLS_PER_ROW);
}

function chunkOf(table: EventTable, row: number): readonly Cell[] {
  return table.chunks[chunkIndex(table, row)] ?? [];
}

function chunkIndex({ first }: EventTable, row: number): number {
  return Math.floor(row / CHUNK_ROWS) - Math.floor(first / CHUNK_ROWS);
}

function offsetOf(row: number): number {
  return (row % CHUNK_ROWS) * CELLS_PER_ROW;
}

/** Texts that were stored lately, to share one copy of each: most events of a domain have the same hostname, for example. */
const recent = new Map<string, string>();
const RECENT_MAX = 10_000;

function shared(text: string | null): string | null {
  // A server of another version may send a value of another type.
  if (typeof text !== 'string') return text;
  const known = recent.get(text);
  if (known !== undefined) return known;
  if (recent.size >= RECENT_MAX) recent.clear();
  recent.set(text, text);
  return text;
}
