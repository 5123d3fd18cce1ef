import type { EventResource } from '../../../../shared/schema/event.ts';
import { firstRowLine } from '../../drawing/frame-layout.ts';
import { type EventRows, neighbourOf, selectedEvent, shownEvents } from '../event-rows.ts';
import { filterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import {
  COMMON_KEYS,
  change,
  type KeyOutcome,
  type KeyTable,
  NOTHING,
  run,
  withEmulator,
} from './key-outcome.ts';

const SORTS: readonly EventRows['sort'][] = ['time', 'host', 'type', 'delivery'];
const WHEEL_ROWS = 3;

function move(screens: number, rows = 0): (state: ViewState) => KeyOutcome {
  return ({ rows: { height } }) => ({
    actions: [{ kind: 'moved', by: rows + screens * Math.max(1, height - 1) }],
  });
}

function withEvent(
  build: (event: EventResource, state: ViewState) => KeyOutcome,
): (state: ViewState) => KeyOutcome {
  return (state) => {
    const event = state.panel.open === 'detail' ? state.panel.event : selectedEvent(state.rows);
    return event === null ? NOTHING : build(event, state);
  };
}

/** Keys that act on an event, in the list and in its detail. */
export const EVENT_KEYS: KeyTable = {
  ...COMMON_KEYS,
  r: withEvent((event, state) =>
    redeliver(state.panel.open === 'detail' ? [event] : chosen(state, event), state),
  ),
  y: withEvent((event, state) => run({ do: 'copy', texts: chosen(state, event).map(({ id }) => id) })),
  c: withEvent((event) => run({ do: 'curl_event', event })),
  d: withEvent((event) => run({ do: 'show_domain', id: event.domain_id })),
  o: withEvent((event) => run({ do: 'open', domainId: event.domain_id })),
  t: withEvent((event, state) =>
    withEmulator(state, { do: 'list_triggers', domain: { id: event.domain_id, hostname: event.hostname } }),
  ),
};

export const EVENT_LIST_KEYS: KeyTable = {
  ...EVENT_KEYS,
  up: move(0, -1),
  k: move(0, -1),
  down: move(0, 1),
  j: move(0, 1),
  wheelup: move(0, -WHEEL_ROWS),
  wheeldown: move(0, WHEEL_ROWS),
  pageup: move(-1),
  pagedown: move(1),
  home: change({ kind: 'jumped', to: 'first' }),
  g: change({ kind: 'jumped', to: 'first' }),
  end: change({ kind: 'jumped', to: 'last' }),
  G: change({ kind: 'jumped', to: 'last' }),
  click: (state, { line = 0 }) => {
    const row = line - firstRowLine(state);
    return row < 0 || row >= state.rows.height
      ? NOTHING
      : { actions: [{ kind: 'jumped', to: state.rows.top + row }] };
  },
  ' ': change({ kind: 'follow_switched' }),
  f: change({ kind: 'failed_switched' }),
  s: ({ rows: { sort } }) => {
    const next = SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length] ?? 'time';
    return { actions: [{ kind: 'sorted', sort: next }] };
  },
  x: withEvent(({ id }) => ({
    actions: [
      { kind: 'marked', id },
      { kind: 'moved', by: 1 },
    ],
  })),
  '/': ({ rows: { filter } }) => ({
    actions: [{ kind: 'opened', panel: filterPanel('events', filter.text) }],
  }),
  enter: openDetail,
  right: openDetail,
  R: confirmAll,
  tab: ({ domains }) => ({
    actions: [{ kind: 'screen_switched', to: 'domains' }],
    ...(domains.load.state === 'none' && {
      command: { do: 'load_domains', filter: domains.filter, place: 'first' },
    }),
  }),
  escape: escapeList,
  q: () => run({ do: 'leave', interrupted: false }),
};

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

function confirmAll({ rows, bulk }: ViewState): KeyOutcome {
  const events = bulk ? [] : shownEvents(rows);
  if (events.length === 0) return NOTHING;
  return { actions: [{ kind: 'opened', panel: { open: 'confirm', events } }] };
}

function openDetail({ rows }: ViewState): KeyOutcome {
  const event = selectedEvent(rows);
  return event === null ? NOTHING : detailOf(event);
}

function detailOf(event: EventResource): KeyOutcome {
  const panel = { open: 'detail', event, content: { state: 'loading' }, scroll: 0 } as const;
  return { actions: [{ kind: 'opened', panel }], command: { do: 'load', event } };
}

/** Opens the next event of the list, or the previous one, in place of the open one. */
function openNeighbour(by: 1 | -1): (state: ViewState) => KeyOutcome {
  return ({ rows, panel }) => {
    const next = panel.open === 'detail' ? neighbourOf(rows, panel.event, by) : null;
    if (next === null) return NOTHING;
    const { actions, ...rest } = detailOf(next.event);
    return { actions: [{ kind: 'jumped', to: next.index }, ...actions], ...rest };
  };
}

/** Keys of an event's page only. */
export const DETAIL_KEYS: KeyTable = { n: openNeighbour(1), p: openNeighbour(-1) };

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
