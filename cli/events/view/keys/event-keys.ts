import type { EventResource } from '../../../../shared/schema/event.ts';
import { type EventRows, neighbourOf, selectedEvent, shownEvents } from '../event-rows.ts';
import { filterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import {
  type Bindings,
  COMMON_KEYS,
  change,
  type KeyHandler,
  type KeyOutcome,
  LEAVING_KEYS,
  NOTHING,
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

/** Keys that act on an event, in the list and on its page. */
export const EVENT_KEYS: Bindings = [
  {
    shown: 'r',
    does: 'redeliver the event or the selected ones; asks in live mode',
    keys: {
      r: withEvent((event, state) =>
        redeliver(state.panel.open === 'detail' ? [event] : chosen(state, event), state),
      ),
    },
  },
  {
    shown: 'c',
    does: 'copy a curl command that sends the event to your receiver',
    keys: { c: withEvent((event) => run({ do: 'curl_event', event })) },
  },
  {
    shown: 'y',
    does: 'copy the id, or the ids of the selected events',
    keys: {
      y: withEvent((event, state) => run({ do: 'copy', texts: chosen(state, event).map(({ id }) => id) })),
    },
  },
  {
    shown: 'd',
    does: "show the event's domain",
    keys: { d: withEvent((event) => run({ do: 'show_domain', id: event.domain_id })) },
  },
  {
    shown: 'o',
    does: "open the domain's connect page",
    keys: { o: withEvent((event) => run({ do: 'open', domainId: event.domain_id })) },
  },
  {
    shown: 't',
    does: 'take the domain through a transition',
    emulator: true,
    keys: {
      t: withEvent(({ domain_id: id, hostname }, state) =>
        withEmulator(state, { do: 'list_triggers', domain: { id, hostname } }),
      ),
    },
  },
];

export const EVENT_LIST_KEYS: Bindings = [
  {
    shown: '↑ ↓  j k',
    does: 'move by one row; the mouse wheel does too',
    keys: { up: byRows(-1), k: byRows(-1), down: byRows(1), j: byRows(1) },
  },
  {
    shown: 'PgUp PgDn',
    does: 'move by one screen',
    keys: { pageup: byScreens(-1), pagedown: byScreens(1) },
  },
  {
    shown: 'g G',
    does: 'first row; last row, and follow',
    keys: { g: first, home: first, G: last, end: last },
  },
  {
    shown: 'Space',
    does: 'follow or stop following',
    keys: { ' ': change({ kind: 'follow_switched' }) },
  },
  {
    shown: 'Enter',
    does: 'show the attempts with their responses, the request and the body',
    keys: { enter: openDetail, right: openDetail },
  },
  {
    shown: '/',
    does: 'filter: type:active host:acme|globex -status:failed code>=400, or a word; ↑ ↓ recall earlier filters',
    keys: {
      '/': ({ rows: { filter } }) => ({
        actions: [{ kind: 'opened', panel: filterPanel('events', filter.text) }],
      }),
    },
  },
  {
    shown: 'f',
    does: 'show failed deliveries only, or all',
    keys: { f: change({ kind: 'failed_switched' }) },
  },
  {
    shown: 's',
    does: 'sort by time, host, type or delivery',
    keys: {
      s: ({ rows: { sort } }) => {
        const next = SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length] ?? 'time';
        return { actions: [{ kind: 'sorted', sort: next }] };
      },
    },
  },
  {
    shown: 'x',
    does: 'select the event, to redeliver or copy several',
    keys: {
      x: withEvent(({ id }) => ({
        actions: [
          { kind: 'marked', id },
          { kind: 'moved', by: 1 },
        ],
      })),
    },
  },
  {
    shown: 'R',
    does: 'redeliver all shown events, ten a minute',
    keys: {
      R: ({ rows, bulk }) => {
        const events = bulk ? [] : shownEvents(rows);
        if (events.length === 0) return NOTHING;
        return { actions: [{ kind: 'opened', panel: { open: 'confirm', events } }] };
      },
    },
  },
  {
    shown: 'Esc',
    does: 'stop redelivering; else deselect all, then clear the filter',
    keys: { escape: escapeList },
  },
  ...EVENT_KEYS,
  {
    shown: 'Tab',
    does: 'go to the domains',
    keys: {
      tab: ({ domains }) => ({
        actions: [{ kind: 'screen_switched', to: 'domains' }],
        ...(domains.load.state === 'none' && {
          command: { do: 'load_domains', filter: domains.filter, place: 'first' },
        }),
      }),
    },
  },
  ...COMMON_KEYS,
  ...LEAVING_KEYS,
];

/** Keys of an event's page only. */
export const DETAIL_KEYS: Bindings = [
  {
    shown: 'n p',
    does: 'in an event: show the next one, or the previous one',
    keys: { n: openNeighbour(1), p: openNeighbour(-1) },
  },
  { shown: 'b', does: 'in an event: fold or unfold the body', keys: { b: change({ kind: 'body_folded' }) } },
];

/** Returns the events that the user has marked, or the selected event if none is. */
function chosen({ rows, marked }: ViewState, event: EventResource): readonly EventResource[] {
  if (marked.size === 0) return [event];
  return shownEvents(rows, (id) => marked.has(id));
}

/** Redelivers one event at once. Asks before it redelivers several, and in live mode always. */
function redeliver(events: readonly EventResource[], { mode, bulk }: ViewState): KeyOutcome {
  const [event] = events;
  if (event === undefined) return NOTHING;
  if (events.length === 1 && mode === 'test') return run({ do: 'redeliver', event });
  return bulk ? NOTHING : { actions: [{ kind: 'opened', panel: { open: 'confirm', events } }] };
}

function detailOf(event: EventResource): KeyOutcome {
  return {
    actions: [{ kind: 'opened', panel: { open: 'detail', event } }],
    command: { do: 'load', event },
  };
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
  return {
    actions: [
      { kind: 'opened', panel: filterPanel('events', filter.text) },
      { kind: 'drafted', input: { text: '', cursor: 0 } },
      { kind: 'closed' },
    ],
  };
}
