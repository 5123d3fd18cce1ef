import type { ApiError, NetworkError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../../shared/schema/event.ts';
import type { FeedItem } from '../follow-events.ts';
import { CELL, type TableRow } from '../table/cells.ts';
import {
  EMPTY_TABLE,
  type EventTable,
  rowFrom,
  tableCell,
  tableRow,
  withChangedEvents,
  withoutOldest,
  withRows,
} from '../table/event-table.ts';
import {
  extendedOrder,
  indexOfRow,
  orderLength,
  type RowOrder,
  rowAtIndex,
  rowOrder,
  type Sort,
} from '../table/row-order.ts';
import { NO_FILTER, type ViewFilter } from './event-filter.ts';

/** A row of the list: an event, or a gap where events were not read. */
export type Row = EventViewRow | GapRow;

export interface EventViewRow {
  kind: 'event';
  event: EventResource;
  /** The last redelivery from this view; null if there was none. */
  redelivery: Redelivery | null;
}

export type GapRow = TableRow & { kind: 'gap' };

export type Redelivery =
  | { state: 'under_way' }
  /** The redelivery waits for the rate limit. */
  | { state: 'waiting' }
  | { state: 'answered'; delivery: DeliveryResource }
  | { state: 'refused'; problem: string };

/** The state of the connection to the API. Times are those of `elapsedMs`. */
export type FeedConnection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'retrying'; error: ApiError | NetworkError; untilMs: number }
  | { state: 'stopped'; error: ApiError };

/** The state behind the event view, its text lines and its NDJSON. */
export interface EventRows {
  /** All rows, oldest first. */
  table: EventTable;
  /** The rows that match the filter, in the order of the list. An index in this order is an index of the list. */
  order: RowOrder;
  filter: ViewFilter;
  sort: Sort;
  counts: DeliveryCounts;
  /** The last redelivery of each event that was redelivered from this view, by the event's id. */
  redeliveries: ReadonlyMap<string, Redelivery>;
  /** The index in the list; -1 if the list is empty. */
  selected: number;
  /** True if the newest row stays selected. Never true while the list is sorted by anything but time. */
  following: boolean;
  /** The number of events that match the filter and arrived since the view stopped following. */
  unseen: number;
  /** The index in the list of the first row on the screen. */
  top: number;
  /** The number of rows on the screen. */
  height: number;
  connection: FeedConnection;
  /** When the API last responded; null before its first response. */
  answeredAtMs: number | null;
  /** The number of events since the start. */
  seen: number;
  /** The number of oldest rows that were dropped. */
  dropped: number;
}

/** The number of events with each status of delivery, and of gaps. */
export type DeliveryCounts = Record<EventResource['delivery']['status'] | 'gaps', number>;

export type RowsAction =
  | FeedItem
  | { kind: 'filtered'; filter: ViewFilter }
  | { kind: 'sorted'; sort: Sort }
  | { kind: 'moved'; by: number }
  | { kind: 'jumped'; to: 'first' | 'last' | number }
  | { kind: 'follow_switched' }
  | { kind: 'resized'; height: number }
  | { kind: 'redelivered'; id: string; redelivery: Redelivery };

export const EVENTS_MAX = 100_000;

export const NO_ROWS: EventRows = {
  table: EMPTY_TABLE,
  order: null,
  filter: NO_FILTER,
  sort: 'time',
  counts: { delivered: 0, failed: 0, pending: 0, none: 0, gaps: 0 },
  redeliveries: new Map(),
  selected: -1,
  following: true,
  unseen: 0,
  top: 0,
  height: 0,
  connection: { state: 'connecting' },
  answeredAtMs: null,
  seen: 0,
  dropped: 0,
};

export function reduceRows(state: EventRows, action: RowsAction): EventRows {
  switch (action.kind) {
    case 'answer':
      return inView(withAnswer(state, action));
    case 'retrying':
    case 'stopped': {
      const { kind, ...rest } = action;
      return { ...state, connection: { state: kind, ...rest } as FeedConnection };
    }
    case 'filtered':
      return inView(withOrder({ ...state, filter: action.filter }, state.table, false));
    case 'sorted': {
      const following = state.following && action.sort === 'time';
      return inView(withOrder({ ...state, sort: action.sort, following }, state.table, false));
    }
    case 'moved': {
      const selected = clamp(state.selected + action.by, shownCount(state));
      // Moving up stops following, so that the row stays in place. Moving down to the last row follows again.
      return inView({ ...state, selected, following: selected === shownCount(state) - 1 && action.by > 0 });
    }
    case 'jumped': {
      const { to } = action;
      const selected = to === 'first' ? 0 : to === 'last' ? shownCount(state) - 1 : to;
      return inView({ ...state, selected: clamp(selected, shownCount(state)), following: to === 'last' });
    }
    case 'follow_switched':
      return inView({ ...state, following: !state.following });
    case 'resized':
      return inView({ ...state, height: action.height });
    case 'redelivered':
      return {
        ...state,
        redeliveries: new Map(state.redeliveries).set(action.id, action.redelivery),
      };
  }
}

/** Returns the number of rows in the list. */
export function shownCount({ order, table }: EventRows): number {
  return orderLength(order, table);
}

/** Returns the number of all rows, with those that the filter hides. */
export function rowCount({ table }: EventRows): number {
  return table.end - table.first;
}

/** Returns the row at an index of the list; null outside of it. */
export function shownRow({ order, table, redeliveries }: EventRows, index: number): Row | null {
  const number = rowAtIndex(order, table, index);
  if (number === null) return null;
  const row = tableRow(table, number);
  return row.kind === 'gap' ? row : { ...row, redelivery: redeliveries.get(row.event.id) ?? null };
}

/** Returns the rows on the screen. */
export function rowsInView(state: EventRows): readonly Row[] {
  const count = Math.max(0, Math.min(state.height, shownCount(state) - state.top));
  return Array.from({ length: count }, (_, index) => shownRow(state, state.top + index) as Row);
}

/** Returns the events of the list, in its order. @param has leaves out the events whose id it refuses. */
export function shownEvents(state: EventRows, has: (id: string) => boolean = () => true): EventResource[] {
  const events: EventResource[] = [];
  for (let index = 0; index < shownCount(state); index++) {
    const number = rowAtIndex(state.order, state.table, index) ?? 0;
    if (!has(String(tableCell(state.table, number, CELL.id)))) continue;
    const row = tableRow(state.table, number);
    if (row.kind === 'event') events.push(row.event);
  }
  return events;
}

export function selectedEvent(state: EventRows): EventResource | null {
  const row = shownRow(state, state.selected);
  return row?.kind === 'event' ? row.event : null;
}

/** Returns the nearest event after an event of the list, or before it; null if there is none. Skips a gap. */
export function neighbourOf(
  state: EventRows,
  event: EventResource,
  by: 1 | -1,
): { event: EventResource; index: number } | null {
  const at = findIndex(state.order, state.table, state.sort, { kind: 'event', event });
  for (const index of [at + by, at + 2 * by]) {
    const row = shownRow(state, index);
    if (row?.kind === 'event') return { event: row.event, index };
  }
  return null;
}

function withAnswer(
  state: EventRows,
  { events, changed, gap, wasReset, atMs }: FeedItem & { kind: 'answer' },
): EventRows {
  const answered: EventRows = {
    ...state,
    connection: { state: 'live' },
    answeredAtMs: atMs,
    seen: state.seen + events.length,
    unseen: state.unseen + events.filter(state.filter.matches).length,
  };
  const fresh = events.map((event): TableRow => ({ kind: 'event', event }));
  // After a reset, the old events are dropped: the server no longer has them, and because the clock was reset they would sort last.
  if (wasReset) return withOrder(answered, withRows(EMPTY_TABLE, fresh), false);
  if (events.length === 0 && changed.length === 0) return answered;
  if (gap) fresh.unshift({ kind: 'gap', gap });
  const before = state.table;
  const updated = withChangedEvents(before, changed);
  const all = withRows(updated, fresh);
  const table = withoutOldest(all, EVENTS_MAX);
  const dropped = state.dropped + table.first - all.first;
  const onlyAdds = updated === before && fresh.every((row) => rowFrom(before, row) === before.end);
  return withOrder({ ...answered, dropped }, table, onlyAdds);
}

/**
 * Replaces the rows. Keeps the selected row selected, or selects the next one if the filter hides it.
 * @param onlyAdds true if the table differs from the earlier one by rows at its end and its start alone. The filter then reads only those.
 */
function withOrder(state: EventRows, table: EventTable, onlyAdds: boolean): EventRows {
  const { filter, sort, selected } = state;
  const order =
    onlyAdds && sort === 'time'
      ? extendedOrder(state.order, table, filter, state.table.end)
      : rowOrder(table, filter, sort);
  const before = rowAtIndex(state.order, state.table, selected);
  const found = before === null ? -1 : findIndex(order, table, sort, tableRow(state.table, before));
  const wanted = found === -1 ? selected : found;
  // Keep the selected row at its position on the screen while rows before it come and go.
  const top = state.top + (before === null ? 0 : wanted - selected);
  const counts = table === state.table ? state.counts : countDeliveries(table);
  return { ...state, table, order, counts, selected: clamp(wanted, orderLength(order, table)), top };
}

function findIndex(order: RowOrder, table: EventTable, sort: Sort, row: TableRow): number {
  return indexOfRow(order, table, sort, rowFrom(table, row));
}

function countDeliveries(table: EventTable): DeliveryCounts {
  const counts: DeliveryCounts = { delivered: 0, failed: 0, pending: 0, none: 0, gaps: 0 };
  for (let row = table.first; row < table.end; row++) {
    const status = tableCell(table, row, CELL.delivery_status);
    const name = (status ?? 'gaps') as keyof DeliveryCounts;
    // A server of another version may have other statuses.
    if (Object.hasOwn(counts, name)) counts[name]++;
  }
  return counts;
}

/** Scrolls so that the selected row is on the screen and the screen is full. */
function inView(state: EventRows): EventRows {
  const { height } = state;
  const count = shownCount(state);
  const following = state.following && state.sort === 'time';
  const selected = following ? count - 1 : clamp(state.selected, count);
  const highest = Math.max(0, count - height);
  const top = Math.min(Math.max(state.top, selected - height + 1), Math.max(0, selected), highest);
  return {
    ...state,
    following,
    selected,
    unseen: following ? 0 : state.unseen,
    top: following ? highest : Math.max(0, top),
  };
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, length === 0 ? -1 : 0), length - 1);
}
