import type { EventResource } from '../../../../shared/schema/event.ts';
import { neighbourOf, selectedEvent, shownEvents } from '../event-rows.ts';
import type { Sort } from '../row-order.ts';
import { filterPanel, type ViewState } from '../view-state.ts';
import {
  type Bindings,
  bind,
  COMMON_KEYS,
  type KeyStep,
  LEAVING_KEYS,
  movesOf,
  ONLY_EMULATOR,
  withEmulator,
} from './key-steps.ts';

function withEvent(build: (event: EventResource, state: ViewState) => readonly KeyStep[]) {
  return (state: ViewState): readonly KeyStep[] => {
    const event = state.panel.open === 'detail' ? state.panel.event : selectedEvent(state.rows);
    return event === null ? [] : build(event, state);
  };
}

/** Keys that act on an event, in the list and on its page. */
export const EVENT_KEYS: Bindings = [
  bind('r', 'redeliver the event or the selected ones; asks in live mode', { r: withEvent(redeliverChosen) }),
  bind('c', 'copy a curl command that sends the event to your receiver', {
    c: withEvent((event) => [{ do: 'curl_event', event }]),
  }),
  bind('y', 'copy the id, or the ids of the selected events', {
    y: withEvent((event, state) => [{ do: 'copy', texts: chosen(state, event).map(({ id }) => id) }]),
  }),
  bind('d', "show the event's domain", {
    d: withEvent(({ domain_id: id }) => [{ do: 'show_domain', id }]),
  }),
  bind('o', "open the domain's connect page", {
    o: withEvent((event) => [{ do: 'open', domainId: event.domain_id }]),
  }),
  bind(
    't',
    'take the domain through a transition',
    {
      t: withEvent(({ domain_id: id, hostname }, state) =>
        withEmulator(state, { do: 'list_triggers', domain: { id, hostname } }),
      ),
    },
    ONLY_EMULATOR,
  ),
];

export const EVENT_LIST_KEYS: Bindings = [
  ...movesOf('first row; last row, and follow'),
  bind('Space', 'follow or stop following', { space: [{ kind: 'follow_switched' }] }),
  bind('Enter', 'show the attempts with their responses, the request and the body', {
    'enter right': withEvent(openDetail),
  }),
  bind(
    '/',
    'filter: type:active host:acme|globex -status:failed code>=400, or a word; ↑ ↓ recall earlier filters',
    { '/': ({ rows }) => [{ kind: 'opened', panel: filterPanel('events', rows.filter.text) }] },
  ),
  bind('f', 'show failed deliveries only, or all', {
    // Also load older events, because the failed deliveries may be older than the loaded events.
    f: ({ rows: { filter } }) => [
      { kind: 'filter_changed', change: { failedOnly: !filter.failedOnly } },
      ...(filter.failedOnly ? [] : [{ do: 'load_past' } as const]),
    ],
  }),
  bind('s', 'sort by time, host, type or delivery', {
    s: ({ rows }) => [{ kind: 'sorted', sort: NEXT_SORT[rows.sort] }],
  }),
  bind('x', 'select the event, to redeliver or copy several', {
    x: withEvent(({ id }) => [
      { kind: 'marked', id },
      { kind: 'moved', by: 1 },
    ]),
  }),
  bind('R', 'redeliver all shown events, ten a minute', {
    R: ({ rows, bulk }) => (bulk ? [] : confirmed(shownEvents(rows))),
  }),
  bind('Esc', 'stop redelivering; else deselect all, then clear the filter', { escape: escapeList }),
  ...EVENT_KEYS,
  bind('Tab', 'go to the domains', { tab: goToDomains }),
  ...COMMON_KEYS,
  ...LEAVING_KEYS,
];

/** Keys that work only on the page of an event. */
export const DETAIL_KEYS: Bindings = [
  bind('n p', 'in an event: show the next one, or the previous one', {
    n: (state) => openNeighbour(state, 1),
    p: (state) => openNeighbour(state, -1),
  }),
  bind('b', 'in an event: fold or unfold the body', {
    b: ({ isBodyFolded }) => [{ kind: 'set', fields: { isBodyFolded: !isBodyFolded } }],
  }),
];

const NEXT_SORT: Record<Sort, Sort> = { time: 'host', host: 'type', type: 'delivery', delivery: 'time' };

function openDetail(event: EventResource): readonly KeyStep[] {
  return [
    { kind: 'opened', panel: { open: 'detail', event } },
    { do: 'load', event },
  ];
}

/** Replaces the open event page with the page of the next or the previous event in the list. */
function openNeighbour({ rows, panel }: ViewState, by: 1 | -1): readonly KeyStep[] {
  const next = panel.open === 'detail' ? neighbourOf(rows, panel.event, by) : null;
  return next === null
    ? []
    : [{ kind: 'closed' }, { kind: 'jumped', to: next.index }, ...openDetail(next.event)];
}

function goToDomains({ domains: { load, filter } }: ViewState): readonly KeyStep[] {
  const switched = { kind: 'screen_switched', to: 'domains' } as const;
  return load.state === 'none' ? [switched, { do: 'load_domains', filter, place: 'first' }] : [switched];
}

/** Returns the events that the user has marked, or the selected event if no event is marked. */
function chosen({ rows, marked }: ViewState, event: EventResource): readonly EventResource[] {
  return marked.size === 0 ? [event] : shownEvents(rows, (id) => marked.has(id));
}

/** Redelivers the chosen events. Asks for confirmation if there are several events, or in live mode. */
function redeliverChosen(shown: EventResource, state: ViewState): readonly KeyStep[] {
  const events = state.panel.open === 'detail' ? [shown] : chosen(state, shown);
  const [event] = events;
  if (event !== undefined && events.length === 1 && state.mode === 'test')
    return [{ do: 'redeliver', event }];
  return state.bulk ? [] : confirmed(events);
}

function confirmed(events: readonly EventResource[]): readonly KeyStep[] {
  return events.length === 0 ? [] : [{ kind: 'opened', panel: { open: 'confirm', events } }];
}

/** Handles Escape in the list: stops a redelivery of several events, else unmarks the events, else clears the filter, else the notice. */
function escapeList({ bulk, marked, rows: { filter } }: ViewState): readonly KeyStep[] {
  if (bulk) return [{ do: 'stop_bulk' }];
  if (marked.size > 0) return [{ kind: 'set', fields: { marked: new Set() } }];
  if (filter.text === '') return [{ kind: 'noticed', notice: null }];
  return [{ kind: 'filter_changed', change: { text: '' } }];
}
