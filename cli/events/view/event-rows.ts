import type { ApiError, NetworkError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../../shared/schema/event.ts';
import type { Gap } from '../event-reader.ts';
import type { FeedItem } from '../follow-events.ts';
import { type EventFilter, NO_FILTER } from './event-filter.ts';
import { merged, placeOf } from './sorted-rows.ts';

/** What stands in the list: an event, or a gap where events were not read. */
export type Row = EventRow | GapRow;

export interface EventRow {
  kind: 'event';
  event: EventResource;
  /** Null until one was asked for from here. */
  redelivery: Redelivery | null;
}

export interface GapRow {
  kind: 'gap';
  gap: Gap;
}

export type Redelivery =
  | { state: 'under_way' }
  /** For the limit to open. */
  | { state: 'waiting' }
  | { state: 'answered'; delivery: DeliveryResource }
  | { state: 'refused'; problem: string };

/** Whether the API answers. Times are of `elapsed_ms`. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'retrying'; error: ApiError | NetworkError; until_ms: number }
  | { state: 'stopped'; error: ApiError };

/** The state of the event view, of its lines and of its NDJSON. */
export interface EventRows {
  /** Oldest first. */
  rows: readonly Row[];
  /** Those that the filter lets through; gaps always. */
  shown: readonly Row[];
  filter: EventFilter;
  /** Index in `shown`; -1 when nothing is there. */
  selected: number;
  /** The newest row stays selected. */
  following: boolean;
  /** The part of `shown` that is on the screen. */
  top: number;
  height: number;
  connection: Connection;
  /** Null before the first answer. */
  answered_at_ms: number | null;
  /** How many came since the start, and how many of the oldest were let go. */
  seen: number;
  dropped: number;
}

export type RowsAction =
  | FeedItem
  | { kind: 'filtered'; filter: EventFilter }
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
  answered_at_ms: null,
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
      return { ...state, connection: { state: kind, ...rest } as Connection };
    }
    case 'filtered':
      return inView(withShown({ ...state, filter: action.filter }, state.rows));
    case 'moved': {
      const selected = clamp(state.selected + action.by, state.shown.length);
      // Going up is reading, and what is read must stay; the end is where new ones are waited for.
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

/** The rows on the screen. */
export function rowsInView({ shown, top, height }: EventRows): readonly Row[] {
  return shown.slice(top, top + height);
}

export function selectedEvent({ shown, selected }: EventRows): EventResource | null {
  const row = shown[selected];
  return row?.kind === 'event' ? row.event : null;
}

function withAnswer(
  state: EventRows,
  { events, changed, gap, was_reset, at_ms }: FeedItem & { kind: 'answer' },
): EventRows {
  const answered: EventRows = { ...state, connection: { state: 'live' }, answered_at_ms: at_ms };
  // Nothing can be asked of events that are gone, and by the clock of the new ones they would come last.
  if (was_reset)
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
  const by_id = new Map(changed.map((event) => [event.id, event]));
  return (row) => {
    const event = row.kind === 'event' ? by_id.get(row.event.id) : undefined;
    return row.kind === 'event' && event ? { ...row, event } : row;
  };
}

function withRedelivery(state: EventRows, event: EventResource, redelivery: Redelivery): EventRows {
  const place = placeOf(state.rows, { kind: 'event', event, redelivery });
  const row = state.rows[place];
  if (row?.kind !== 'event' || row.event.id !== event.id) return state;
  return withShown(state, state.rows.with(place, { ...row, redelivery }));
}

/** The same row stays selected, or where it is hidden the next one. */
function withShown(state: EventRows, rows: readonly Row[]): EventRows {
  const { filter } = state;
  const is_open = filter.text === '' && !filter.failed_only && filter.pattern === null;
  const shown = is_open ? rows : rows.filter((row) => row.kind === 'gap' || filter.matches(row.event));
  const before = state.shown[state.selected];
  const wanted = before === undefined ? state.selected : placeOf(shown, before);
  // What is read stays where it is on the screen while rows before it come and go.
  const top = state.top + (before === undefined ? 0 : wanted - state.selected);
  return { ...state, rows, shown, selected: clamp(wanted, shown.length), top };
}

/** Keeps the selected row on the screen, and the screen full. */
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
