import type { ApiError, NetworkError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../../shared/schema/event.ts';
import type { Gap } from '../event-reader.ts';
import type { FeedItem } from '../follow-events.ts';
import { NO_FILTER, type ViewFilter } from './event-filter.ts';
import { merged, rowIndex } from './sorted-rows.ts';

/** A row of the list: an event, or a gap where events were not read. */
export type Row = EventViewRow | GapRow;

export interface EventViewRow {
  kind: 'event';
  event: EventResource;
  /** The last redelivery from this view; null if there was none. */
  redelivery: Redelivery | null;
}

export interface GapRow {
  kind: 'gap';
  gap: Gap;
}

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
  /** The rows, oldest first. */
  rows: readonly Row[];
  /** The rows that match the filter. Gaps always match. */
  shown: readonly Row[];
  filter: ViewFilter;
  /** The index in `shown`; -1 if `shown` is empty. */
  selected: number;
  /** True if the newest row stays selected. */
  following: boolean;
  /** The index in `shown` of the first row on the screen. */
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

export type RowsAction =
  | FeedItem
  | { kind: 'filtered'; filter: ViewFilter }
  | { kind: 'moved'; by: number }
  | { kind: 'jumped'; to: 'first' | 'last' }
  | { kind: 'follow_switched' }
  | { kind: 'resized'; height: number }
  | { kind: 'redelivered'; event: EventResource; redelivery: Redelivery };

export const EVENTS_MAX = 100_000;

export const NO_ROWS: EventRows = {
  rows: [],
  shown: [],
  filter: NO_FILTER,
  selected: -1,
  following: true,
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
      return inView(withShown({ ...state, filter: action.filter }, state.rows));
    case 'moved': {
      const selected = clamp(state.selected + action.by, state.shown.length);
      // Moving up stops following, so that the row stays in place. Moving down to the last row follows again.
      return inView({ ...state, selected, following: selected === state.shown.length - 1 && action.by > 0 });
    }
    case 'jumped': {
      const selected = action.to === 'first' ? clamp(0, state.shown.length) : state.shown.length - 1;
      return inView({ ...state, selected, following: action.to === 'last' });
    }
    case 'follow_switched':
      return inView({ ...state, following: !state.following });
    case 'resized':
      return inView({ ...state, height: action.height });
    case 'redelivered':
      return inView(withRedelivery(state, action.event, action.redelivery));
  }
}

/** Returns the rows on the screen. */
export function rowsInView({ shown, top, height }: EventRows): readonly Row[] {
  return shown.slice(top, top + height);
}

export function selectedEvent({ shown, selected }: EventRows): EventResource | null {
  const row = shown[selected];
  return row?.kind === 'event' ? row.event : null;
}

function withAnswer(
  state: EventRows,
  { events, changed, gap, wasReset, atMs }: FeedItem & { kind: 'answer' },
): EventRows {
  const answered: EventRows = { ...state, connection: { state: 'live' }, answeredAtMs: atMs };
  // After a reset, the old events are dropped: the server no longer has them, and because the clock was reset they would sort last.
  if (wasReset)
    return withShown({ ...answered, seen: state.seen + events.length }, merged([], events.map(rowOf)));
  if (events.length === 0 && changed.length === 0) return answered;
  const rows = changed.length === 0 ? state.rows : state.rows.map(withChange(changed));
  const fresh = events.map(rowOf);
  if (gap) fresh.unshift({ kind: 'gap', gap });
  const all = merged(rows, fresh);
  const dropped = Math.max(0, all.length - EVENTS_MAX);
  return withShown(
    { ...answered, seen: state.seen + events.length, dropped: state.dropped + dropped },
    all.slice(dropped),
  );
}

function rowOf(event: EventResource): Row {
  return { kind: 'event', event, redelivery: null };
}

function withChange(changed: readonly EventResource[]): (row: Row) => Row {
  const byId = new Map(changed.map((event) => [event.id, event]));
  return (row) => {
    const event = row.kind === 'event' ? byId.get(row.event.id) : undefined;
    return row.kind === 'event' && event ? { ...row, event } : row;
  };
}

function withRedelivery(state: EventRows, event: EventResource, redelivery: Redelivery): EventRows {
  const place = rowIndex(state.rows, { kind: 'event', event, redelivery });
  const row = state.rows[place];
  if (row?.kind !== 'event' || row.event.id !== event.id) return state;
  return withShown(state, state.rows.with(place, { ...row, redelivery }));
}

/** Replaces the rows. Keeps the selected row selected, or selects the next one if the filter hides it. */
function withShown(state: EventRows, rows: readonly Row[]): EventRows {
  const { filter } = state;
  const isOpen = filter.text === '' && !filter.failedOnly && filter.pattern === null;
  const shown = isOpen ? rows : rows.filter((row) => row.kind === 'gap' || filter.matches(row.event));
  const before = state.shown[state.selected];
  const wanted = before === undefined ? state.selected : rowIndex(shown, before);
  // Keep the selected row at its position on the screen while rows before it come and go.
  const top = state.top + (before === undefined ? 0 : wanted - state.selected);
  return { ...state, rows, shown, selected: clamp(wanted, shown.length), top };
}

/** Scrolls so that the selected row is on the screen and the screen is full. */
function inView(state: EventRows): EventRows {
  const { shown, height } = state;
  const selected = state.following ? shown.length - 1 : clamp(state.selected, shown.length);
  const highest = Math.max(0, shown.length - height);
  const top = Math.min(Math.max(state.top, selected - height + 1), Math.max(0, selected), highest);
  return { ...state, selected, top: state.following ? highest : Math.max(0, top) };
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, length === 0 ? -1 : 0), length - 1);
}
