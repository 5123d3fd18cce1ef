import type { EventResource } from '../../../../shared/schema/event.ts';
import { bind, moveKeys } from '../../../screen/key-bindings.ts';
import { type EventRows, neighbourOf, selectedEvent, shownEvents } from '../event-rows.ts';
import { filterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import {
  type Bindings,
  COMMON_KEYS,
  change,
  filteredBy,
  type KeyHandler,
  type KeyOutcome,
  LEAVING_KEYS,
  NOTHING,
  open,
  run,
  withEmulator,
} from './key-outcome.ts';

const SORTS: readonly EventRows['sort'][] = ['time', 'host', 'type', 'delivery'];
/** Older events are fetched when the selection comes this near to the first row. */
const ROWS_AHEAD = 20;

/** Moves the selection, and fetches older events in time. */
function moved(by: (state: ViewState) => number): KeyHandler {
  return (state) => {
    const rows = by(state);
    const { selected } = state.rows;
    const isNearStart = rows < 0 && selected + rows < ROWS_AHEAD;
    return { actions: [{ kind: 'moved', by: rows }], ...(isNearStart && pastOf(state)) };
  };
}

/** Fetches older events, if there may be some. */
function pastOf({ rows: { shown, past } }: ViewState): Pick<KeyOutcome, 'command'> {
  return shown.length > 0 && past.state === 'more' ? { command: { do: 'load_past' } } : {};
}

const byRows = (rows: number) => moved(() => rows);
const byScreens = (screens: number) => moved(({ rows }) => screens * Math.max(1, rows.height - 1));

const first: KeyHandler = (state) => ({ actions: [{ kind: 'jumped', to: 'first' }], ...pastOf(state) });
const last = change({ kind: 'jumped', to: 'last' });

function withEvent(build: (event: EventResource, state: ViewState) => KeyOutcome): KeyHandler {
  return (state) => {
    const event = state.panel.open === 'detail' ? state.panel.event : selectedEvent(state.rows);
    return event === null ? NOTHING : build(event, state);
  };
}

const openDetail = withEvent(detailOf);
const ONLY_EMULATOR = { isEmulators: true };

/** Keys that act on an event, in the list and on its page. */
export const EVENT_KEYS: Bindings = [
  bind('r', 'redeliver the event or the selected ones; asks in live mode', { r: withEvent(redeliverChosen) }),
  bind('c', 'copy a curl command that sends the event to your receiver', {
    c: withEvent((event) => run({ do: 'curl_event', event })),
  }),
  bind('y', 'copy the id, or the ids of the selected events', {
    y: withEvent((event, state) => run({ do: 'copy', texts: chosen(state, event).map(({ id }) => id) })),
  }),
  bind('d', "show the event's domain", {
    d: withEvent(({ domain_id: id }) => run({ do: 'show_domain', id })),
  }),
  bind('o', "open the domain's connect page", {
    o: withEvent((event) => run({ do: 'open', domainId: event.domain_id })),
  }),
  bind('t', 'take the domain through a transition', { t: withEvent(listTriggers) }, ONLY_EMULATOR),
];

const MOVES = moveKeys({ lines: byRows, screens: byScreens, first, last });

export const EVENT_LIST_KEYS: Bindings = [
  bind('↑ ↓  j k', 'move by one row; the mouse wheel does too', MOVES.lines),
  bind('PgUp PgDn', 'move by one screen', MOVES.screens),
  bind('g G', 'first row; last row, and follow', MOVES.ends),
  bind('Space', 'follow or stop following', { space: change({ kind: 'follow_switched' }) }),
  bind('Enter', 'show the attempts with their responses, the request and the body', {
    'enter right': openDetail,
  }),
  bind(
    '/',
    'filter: type:active host:acme|globex -status:failed code>=400, or a word; ↑ ↓ recall earlier filters',
    { '/': openFilter },
  ),
  bind('f', 'show failed deliveries only, or all', { f: change({ kind: 'failed_switched' }) }),
  bind('s', 'sort by time, host, type or delivery', { s: sortNext }),
  bind('x', 'select the event, to redeliver or copy several', { x: withEvent(select) }),
  bind('R', 'redeliver all shown events, ten a minute', { R: redeliverAll }),
  bind('Esc', 'stop redelivering; else deselect all, then clear the filter', { escape: escapeList }),
  ...EVENT_KEYS,
  bind('Tab', 'go to the domains', { tab: goToDomains }),
  ...COMMON_KEYS,
  ...LEAVING_KEYS,
];

/** Keys of an event's page only. */
export const DETAIL_KEYS: Bindings = [
  bind('n p', 'in an event: show the next one, or the previous one', {
    n: openNeighbour(1),
    p: openNeighbour(-1),
  }),
  bind('b', 'in an event: fold or unfold the body', { b: change({ kind: 'body_folded' }) }),
];

function listTriggers({ domain_id: id, hostname }: EventResource, state: ViewState): KeyOutcome {
  return withEmulator(state, { do: 'list_triggers', domain: { id, hostname } });
}

function openFilter({ rows: { filter } }: ViewState): KeyOutcome {
  return open(filterPanel('events', filter.text));
}

function sortNext({ rows: { sort } }: ViewState): KeyOutcome {
  const next = SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length] ?? 'time';
  return { actions: [{ kind: 'sorted', sort: next }] };
}

function select({ id }: EventResource): KeyOutcome {
  const next = { kind: 'moved', by: 1 } as const;
  return { actions: [{ kind: 'marked', id }, next] };
}

function redeliverAll({ rows, bulk }: ViewState): KeyOutcome {
  const events = bulk ? [] : shownEvents(rows);
  return events.length === 0 ? NOTHING : open({ open: 'confirm', events });
}

function goToDomains({ domains: { load, filter } }: ViewState): KeyOutcome {
  return {
    actions: [{ kind: 'screen_switched', to: 'domains' }],
    ...(load.state === 'none' && { command: { do: 'load_domains', filter, place: 'first' } }),
  };
}

/** Returns the events that the user has marked, or the selected event if none is. */
function chosen({ rows, marked }: ViewState, event: EventResource): readonly EventResource[] {
  if (marked.size === 0) return [event];
  return shownEvents(rows, (id) => marked.has(id));
}

/** Redelivers one event at once. Asks before it redelivers several, and in live mode always. */
function redeliverChosen(shown: EventResource, state: ViewState): KeyOutcome {
  const events = state.panel.open === 'detail' ? [shown] : chosen(state, shown);
  const [event] = events;
  if (event === undefined) return NOTHING;
  if (events.length === 1 && state.mode === 'test') return run({ do: 'redeliver', event });
  return state.bulk ? NOTHING : open({ open: 'confirm', events });
}

function detailOf(event: EventResource): KeyOutcome {
  return { ...open({ open: 'detail', event }), command: { do: 'load', event } };
}

/** Opens the next event of the list, or the previous one, in place of the open one. */
function openNeighbour(by: 1 | -1): KeyHandler {
  return ({ rows, panel }) => {
    const next = panel.open === 'detail' ? neighbourOf(rows, panel.event, by) : null;
    if (next === null) return NOTHING;
    const { actions, ...rest } = detailOf(next.event);
    return { actions: [{ kind: 'jumped', to: next.index }, ...actions], ...rest };
  };
}

/** Stops a redelivery of several events. Else unmarks the events, then clears the filter, then the notice. */
function escapeList({ bulk, marked, rows: { filter } }: ViewState): KeyOutcome {
  if (bulk) return run({ do: 'stop_bulk' });
  if (marked.size > 0) return { actions: [{ kind: 'unmarked' }] };
  if (filter.text === '') return { actions: [{ kind: 'noticed', notice: null }] };
  return { actions: filteredBy('', filter) };
}
