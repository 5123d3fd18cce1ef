import type { ApiError, NetworkError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../../shared/schema/event.ts';
import { type DeliveryState, deliveryState } from '../../output/marks.ts';
import {
  clamp,
  FOLLOWING,
  type ListCursor,
  type Move,
  moved,
  rowsInView as scrolled,
} from '../../screen/list-cursor.ts';
import type { FeedItem } from '../follow-events.ts';
import { isOpen, NO_FILTER, type PastQuery, pastQueryOf, type ViewFilter } from './event-filter.ts';
import { inOrder, isGap, merged, placeIn, type Sort, sorted, type ViewRow } from './row-order.ts';

export function isEvent(row: ViewRow): row is EventResource {
  return !isGap(row);
}

export type Redelivery =
  | { state: 'under_way' }
  /** The redelivery waits for the rate limit. */
  | { state: 'waiting' }
  | { state: 'answered'; delivery: DeliveryResource }
  | { state: 'refused'; problem: string };

/** The state of the connection to the API. Times are in milliseconds of a monotonic clock. */
export type FeedConnection =
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'retrying'; error: ApiError | NetworkError; untilMs: number }
  | { state: 'stopped'; error: ApiError };

/** Older events, which the view loads when the user scrolls to the start of the list. */
export interface Past {
  /** The query with which the API filtered these events; null if the API cannot apply the view's filter. */
  query: PastQuery | null;
  rows: readonly EventResource[];
  /** `begun` means that the list reaches back to the first event, so there are no more events to load. */
  state: 'more' | 'loading' | 'begun';
}

/** The state of the followed events. The event view, the text lines and the NDJSON output are made from it. */
export interface EventRows extends ListCursor {
  /**
   * The newest rows, to which new events are added. Sorted from oldest to newest, by time and then by id. A gap comes before the event that
   * follows it.
   */
  all: readonly ViewRow[];
  past: Past;
  /** The rows that match the filter, in the order of the list. */
  shown: readonly ViewRow[];
  filter: ViewFilter;
  sort: Sort;
  counts: Readonly<Record<DeliveryState | 'gaps', number>>;
  /** By domain id, the domain's oldest event with a pending delivery. The domain's later events wait for this event. */
  heads: ReadonlyMap<string, EventResource>;
  /** By event id, the last redelivery that the user started in this view. */
  redeliveries: ReadonlyMap<string, Redelivery>;
  /** The number of matching events that arrived since the list stopped following its end. */
  unseen: number;
  connection: FeedConnection;
  /** When the API last responded; null before its first response. */
  answeredAtMs: number | null;
  /** The number of events that were read since the command started. */
  seen: number;
  /** The number of oldest rows that were dropped. */
  dropped: number;
}

export type RowsAction =
  | FeedItem
  | { kind: 'filtered'; filter: ViewFilter }
  | { kind: 'sorted'; sort: Sort }
  | Move
  | { kind: 'follow_switched' }
  | { kind: 'resized'; height: number }
  | { kind: 'redelivered'; id: string; redelivery: Redelivery }
  /** Older events were loaded, newest first. Loading failed if `events` is null. Ignored if the filter has changed since the request. */
  | { kind: 'past'; query: PastQuery; events: readonly EventResource[] | null; isLast: boolean }
  | { kind: 'past_loading' };

export const EVENTS_MAX = 20_000;

const NO_COUNTS: EventRows['counts'] = {
  delivered: 0,
  retrying: 0,
  waiting: 0,
  failed: 0,
  none: 0,
  gaps: 0,
};

export const NO_ROWS: EventRows = {
  all: [],
  past: { query: {}, rows: [], state: 'more' },
  shown: [],
  filter: NO_FILTER,
  sort: 'time',
  counts: NO_COUNTS,
  heads: new Map(),
  redeliveries: new Map(),
  unseen: 0,
  ...FOLLOWING,
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
    case 'filtered': {
      const query = pastQueryOf(action.filter);
      const isSame = JSON.stringify(query) === JSON.stringify(state.past.query);
      const past: Past = isSame ? state.past : { query, rows: [], state: query === null ? 'begun' : 'more' };
      return inView(withShown({ ...state, past, filter: action.filter }));
    }
    case 'sorted':
      return inView(withShown({ ...state, sort: action.sort }));
    case 'moved':
    case 'paged':
    case 'jumped':
      return inView(state, moved(state, action, state.shown.length));
    case 'follow_switched':
      return inView({ ...state, following: !state.following });
    case 'resized':
      return inView({ ...state, height: action.height });
    case 'redelivered':
      return { ...state, redeliveries: new Map(state.redeliveries).set(action.id, action.redelivery) };
    case 'past_loading':
      return { ...state, past: { ...state.past, state: 'loading' } };
    case 'past':
      return inView(withPast(state, action));
    default:
      return state;
  }
}

/** Returns the events that the list shows, in the same order. @param has returns false for the id of an event to leave out. */
export function shownEvents(
  { shown }: EventRows,
  has: (id: string) => boolean = () => true,
): EventResource[] {
  return shown.filter(isEvent).filter(({ id }) => has(id));
}

export function selectedEvent({ shown, selected }: EventRows): EventResource | null {
  const row = shown[selected];
  return row !== undefined && isEvent(row) ? row : null;
}

/** Returns the domain's earlier event that must be delivered before `event`; null if there is none. */
export function blockerOf({ heads }: EventRows, event: EventResource): EventResource | null {
  const head = heads.get(event.domain_id);
  return deliveryState(event) === 'waiting' && head !== undefined && head.id !== event.id ? head : null;
}

/** Returns the next event in the list after `event`, or the previous one. Skips a gap. Returns null if there is none. */
export function neighbourOf(
  { shown }: EventRows,
  event: EventResource,
  by: 1 | -1,
): { event: EventResource; index: number } | null {
  const at = shown.findIndex((row) => isEvent(row) && row.id === event.id);
  for (const index of at === -1 ? [] : [at + by, at + 2 * by]) {
    const row = shown[index];
    if (row !== undefined && isEvent(row)) return { event: row, index };
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
  // After a reset of the emulator, drop the old events. The server no longer has them, and with their later times they would sort after the
  // new events.
  if (wasReset) {
    return withCounts({
      ...answered,
      all: inOrder(events),
      past: { ...state.past, rows: [], state: 'more' },
    });
  }
  if (events.length === 0 && changed.length === 0) return answered;
  const all = merged(withChanges(state.all, changed), inOrder(gap ? [gap, ...events] : events));
  const dropped = Math.max(0, all.length - EVENTS_MAX);
  return withCounts({ ...answered, all: all.slice(dropped), dropped: state.dropped + dropped });
}

function withPast(state: EventRows, { query, events, isLast }: RowsAction & { kind: 'past' }): EventRows {
  const { past, all } = state;
  if (JSON.stringify(query) !== JSON.stringify(past.query)) return state;
  if (events === null) return { ...state, past: { ...past, state: 'more' } };
  const known = new Set([...past.rows, ...all].map((row) => (isGap(row) ? '' : row.id)));
  const fresh = events.filter(({ id }) => !known.has(id)).reverse();
  const rows = [...fresh, ...past.rows];
  return withShown({ ...state, past: { ...past, rows, state: isLast ? 'begun' : 'more' } });
}

function withChanges(rows: readonly ViewRow[], changed: readonly EventResource[]): readonly ViewRow[] {
  if (changed.length === 0) return rows;
  const byId = new Map(changed.map((event) => [event.id, event]));
  return rows.map((row) => (isGap(row) ? row : (byId.get(row.id) ?? row)));
}

/** Returns the state with new counts and the filter applied, after the rows have changed. */
function withCounts(state: EventRows): EventRows {
  const counts: Record<DeliveryState | 'gaps', number> = { ...NO_COUNTS };
  const heads = new Map<string, EventResource>();
  for (const row of state.all) {
    const name = isGap(row) ? 'gaps' : deliveryState(row);
    // Skip a status that this version of the CLI does not know.
    if (name !== null) counts[name]++;
    if (isGap(row) || row.delivery.status !== 'pending') continue;
    if (!heads.has(row.domain_id)) heads.set(row.domain_id, row);
  }
  return withShown({ ...state, counts, heads });
}

/** Applies the filter and the sort order. Keeps the selected row selected. If the filter hides that row, selects the row in its place. */
function withShown(state: EventRows): EventRows {
  const { filter, sort, selected, past, all } = state;
  const rows = past.rows.length === 0 ? all : [...past.rows, ...all];
  const matching = isOpen(filter) ? rows : rows.filter((row) => isGap(row) || filter.matches(row));
  const shown = sort === 'time' ? matching : sorted(matching, sort);
  const before = state.shown[selected];
  const found = before === undefined ? -1 : placeIn(shown, before, sort);
  const wanted = found === -1 ? selected : found;
  // Keep the selected row at its position on the screen while rows before it come and go.
  const top = state.top + (before === undefined ? 0 : wanted - selected);
  return { ...state, shown, selected: clamp(wanted, shown.length), top };
}

/** Scrolls so that the selected row is on the screen. */
function inView(state: EventRows, cursor: ListCursor = state): EventRows {
  // The list can follow its end only if it is sorted by time. In other orders, the newest row is not the last.
  const following = cursor.following && state.sort === 'time';
  const seen = scrolled({ ...cursor, following }, state.shown.length);
  return { ...state, ...seen, unseen: following ? 0 : state.unseen };
}
