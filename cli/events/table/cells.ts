import type { EventResource } from '../../../shared/schema/event.ts';

/** The value of one field of a row. A time is a number: milliseconds since the epoch. */
export type Cell = string | number | null;

/** A span of time whose events were not read. */
export interface UnreadSpan {
  /** The last event before the gap; null if the gap has no start. */
  after: Pick<EventResource, 'created_at'> | null;
  /** The first event after the gap. */
  before: Pick<EventResource, 'id' | 'created_at'>;
}

/** A row of the table: an event, or a gap where events were not read. */
export type TableRow = { kind: 'event'; event: EventResource } | { kind: 'gap'; gap: UnreadSpan };

/** The positions of the fields within the cells of a row. */
export const CELL = {
  id: 0,
  created_at: 1,
  /** Null marks a gap. */
  type: 2,
  domain_id: 3,
  hostname: 4,
  previous_status: 5,
  status: 6,
  delivery_status: 7,
  attempts: 8,
  last_status_code: 9,
  last_error: 10,
  /** In a gap, the time at which it starts. */
  last_attempt_at: 11,
  next_attempt_at: 12,
} as const;

export const CELLS_PER_ROW = 13;

/** Returns the row in cells. @param shared returns one copy of equal texts. */
export function cellsOf(row: TableRow, shared: (text: string | null) => string | null): Cell[] {
  if (row.kind === 'gap') {
    const { after, before } = row.gap;
    const cells: Cell[] = Array.from({ length: CELLS_PER_ROW }, () => null);
    cells[CELL.id] = before.id;
    cells[CELL.created_at] = timeCell(before.created_at);
    cells[CELL.last_attempt_at] = timeCell(after?.created_at ?? null);
    return cells;
  }
  const { event } = row;
  const { delivery } = event;
  return [
    event.id,
    timeCell(event.created_at),
    shared(event.type),
    shared(event.domain_id),
    shared(event.hostname),
    shared(event.previous_status),
    shared(event.status),
    shared(delivery.status),
    delivery.attempts,
    delivery.last_status_code,
    shared(delivery.last_error),
    timeCell(delivery.last_attempt_at),
    timeCell(delivery.next_attempt_at),
  ];
}

/** Returns the row that `cellsOf` has put at this position of the cells. */
export function rowOfCells(cells: readonly Cell[], at: number): TableRow {
  const text = (field: number) => cells[at + field] as string;
  const time = (field: number) => timeText(cells[at + field] ?? null);
  if (cells[at + CELL.type] === null) {
    const start = time(CELL.last_attempt_at);
    const before = { id: text(CELL.id), created_at: time(CELL.created_at) ?? '' };
    return { kind: 'gap', gap: { after: start === null ? null : { created_at: start }, before } };
  }
  const event = {
    id: text(CELL.id),
    type: text(CELL.type),
    domain_id: text(CELL.domain_id),
    hostname: text(CELL.hostname),
    previous_status: cells[at + CELL.previous_status],
    status: cells[at + CELL.status],
    created_at: time(CELL.created_at) ?? '',
    delivery: {
      status: cells[at + CELL.delivery_status],
      attempts: cells[at + CELL.attempts],
      last_status_code: cells[at + CELL.last_status_code],
      last_error: cells[at + CELL.last_error],
      last_attempt_at: time(CELL.last_attempt_at),
      next_attempt_at: time(CELL.next_attempt_at),
    },
  };
  return { kind: 'event', event: event as EventResource };
}

/** Returns the time of a cell in milliseconds since the epoch; 0 if it is not a time. */
export function cellMs(cell: Cell): number {
  return typeof cell === 'number' ? cell : Date.parse(cell ?? '') || 0;
}

/** Returns a time as a number, which takes less memory. Returns a text that would not come back the same unchanged. */
function timeCell(text: string | null): Cell {
  if (text === null) return null;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text ? ms : text;
}

function timeText(cell: Cell): string | null {
  return typeof cell === 'number' ? new Date(cell).toISOString() : cell;
}
