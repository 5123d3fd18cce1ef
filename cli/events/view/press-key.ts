import type { EventResource } from '../../../shared/schema/event.ts';
import { panelLines } from '../drawing/draw-panel.ts';
import { frameLayout } from '../drawing/frame-layout.ts';
import { selectedEvent, shownEvents } from './event-rows.ts';
import type { ViewAction, ViewState } from './view-state.ts';

/** A key with a name, such as `up` or `ctrl-c`, or with the text that it types. */
export interface KeyPress {
  name: string;
  /** The text that the key types; empty if it types nothing. */
  text: string;
}

/** A command that has effects outside the state. */
export type ViewCommand =
  | { do: 'leave'; interrupted: boolean }
  | { do: 'load'; event: EventResource }
  | { do: 'redeliver'; event: EventResource }
  | { do: 'redeliver_all'; events: readonly EventResource[] }
  | { do: 'stop_bulk' }
  | { do: 'copy'; event: EventResource }
  | { do: 'open'; event: EventResource }
  | { do: 'list_triggers'; event: EventResource }
  | { do: 'trigger'; event: EventResource; name: string }
  | { do: 'next_due' };

/** The effect of a key: actions on the state, and a command. */
export interface KeyOutcome {
  actions: readonly ViewAction[];
  command?: ViewCommand;
  /** Suspends the job, which returns the terminal to the shell until the job resumes. */
  stopsJob?: true;
}

type KeyTable = Readonly<Record<string, (state: ViewState) => KeyOutcome>>;

/** Returns the effect of a key in the current state. A pure function: the caller runs the command. */
export function pressKey(state: ViewState, key: KeyPress): KeyOutcome {
  if (key.name === 'ctrl-c') return { actions: [], command: { do: 'leave', interrupted: true } };
  if (key.name === 'ctrl-z') return { actions: [], stopsJob: true };
  if (state.panel.open === 'filter') return typeFilter(state.panel, key);
  const table = TABLES[state.panel.open];
  return (table[key.name] ?? table[key.text])?.(state) ?? NOTHING;
}

const NOTHING: KeyOutcome = { actions: [] };

function change(...actions: ViewAction[]): () => KeyOutcome {
  return () => ({ actions });
}

function close(): KeyOutcome {
  return { actions: [{ kind: 'closed' }] };
}

function move(screens: number, rows = 0): (state: ViewState) => KeyOutcome {
  return ({ rows: { height } }) => ({
    actions: [{ kind: 'moved', by: rows + screens * Math.max(1, height - 1) }],
  });
}

function scroll(screens: number, lines = 0): (state: ViewState) => KeyOutcome {
  return (state) => {
    const { body } = frameLayout(state);
    const max = Math.max(0, panelLines(state).length - body);
    return { actions: [{ kind: 'scrolled', by: lines + screens * Math.max(1, body - 1), max }] };
  };
}

/** Returns a key handler that builds a command for the open or the selected event. */
function withEvent(
  build: (event: EventResource, state: ViewState) => ViewCommand | null,
): (state: ViewState) => KeyOutcome {
  return (state) => {
    const event = state.panel.open === 'detail' ? state.panel.event : selectedEvent(state.rows);
    const command = event && build(event, state);
    return command ? { actions: [], command } : NOTHING;
  };
}

const leave = (): KeyOutcome => ({ actions: [], command: { do: 'leave', interrupted: false } });
const openHelp = change({ kind: 'opened', panel: { open: 'help', scroll: 0 } });
const emulatorOnly = (state: ViewState): KeyOutcome | null =>
  state.hasEmulator
    ? null
    : {
        actions: [
          { kind: 'noticed', notice: { text: 'This key works only with an emulator.', tone: 'plain' } },
        ],
      };

/** Keys that act on an event, in the list and in the detail. */
const EVENT_KEYS: KeyTable = {
  r: withEvent((event) => ({ do: 'redeliver', event })),
  y: withEvent((event) => ({ do: 'copy', event })),
  o: withEvent((event) => ({ do: 'open', event })),
  t: (state) => emulatorOnly(state) ?? withEvent((event) => ({ do: 'list_triggers', event }))(state),
  '.': (state) => emulatorOnly(state) ?? { actions: [], command: { do: 'next_due' } },
};

const LIST_KEYS: KeyTable = {
  ...EVENT_KEYS,
  up: move(0, -1),
  k: move(0, -1),
  down: move(0, 1),
  j: move(0, 1),
  pageup: move(-1),
  pagedown: move(1),
  home: change({ kind: 'jumped', to: 'first' }),
  g: change({ kind: 'jumped', to: 'first' }),
  end: change({ kind: 'jumped', to: 'last' }),
  G: change({ kind: 'jumped', to: 'last' }),
  ' ': change({ kind: 'follow_switched' }),
  f: change({ kind: 'failed_switched' }),
  '/': ({ rows: { filter } }) => ({
    actions: [
      { kind: 'opened', panel: { open: 'filter', draft: filter.text, problem: null, before: filter } },
    ],
  }),
  enter: ({ rows }) => openDetail(selectedEvent(rows)),
  right: ({ rows }) => openDetail(selectedEvent(rows)),
  R: confirmAll,
  '?': openHelp,
  escape: (state) => (state.bulk ? { actions: [], command: { do: 'stop_bulk' } } : clear(state)),
  q: leave,
};

const DETAIL_KEYS: KeyTable = {
  ...EVENT_KEYS,
  up: scroll(0, -1),
  k: scroll(0, -1),
  down: scroll(0, 1),
  j: scroll(0, 1),
  pageup: scroll(-1),
  pagedown: scroll(1),
  ' ': scroll(1),
  home: scroll(0, Number.NEGATIVE_INFINITY),
  g: scroll(0, Number.NEGATIVE_INFINITY),
  end: scroll(0, Number.POSITIVE_INFINITY),
  G: scroll(0, Number.POSITIVE_INFINITY),
  left: close,
  enter: close,
  escape: close,
  q: close,
  '?': openHelp,
};

const { up, down, k, j, pageup, pagedown, home, end } = DETAIL_KEYS;
const HELP_KEYS = {
  up,
  down,
  k,
  j,
  pageup,
  pagedown,
  home,
  end,
  '?': close,
  enter: close,
  escape: close,
  q: close,
} as KeyTable;

const TRIGGER_KEYS: KeyTable = {
  left: change({ kind: 'chosen', by: -1 }),
  up: change({ kind: 'chosen', by: -1 }),
  k: change({ kind: 'chosen', by: -1 }),
  right: change({ kind: 'chosen', by: 1 }),
  down: change({ kind: 'chosen', by: 1 }),
  j: change({ kind: 'chosen', by: 1 }),
  enter: ({ panel }) => {
    const name = panel.open === 'trigger' ? panel.names[panel.chosen] : undefined;
    if (panel.open !== 'trigger' || name === undefined) return close();
    return { ...close(), command: { do: 'trigger', event: panel.event, name } };
  },
  escape: close,
  q: close,
};

const CONFIRM_KEYS: KeyTable = {
  enter: ({ panel }) =>
    panel.open === 'confirm'
      ? { ...close(), command: { do: 'redeliver_all', events: panel.events } }
      : close(),
  escape: close,
  q: close,
};

const TABLES = {
  list: LIST_KEYS,
  detail: DETAIL_KEYS,
  help: HELP_KEYS,
  trigger: TRIGGER_KEYS,
  confirm: CONFIRM_KEYS,
};

function openDetail(event: EventResource | null): KeyOutcome {
  if (event === null) return NOTHING;
  const panel = { open: 'detail', event, content: { state: 'loading' }, scroll: 0 } as const;
  return { actions: [{ kind: 'opened', panel }], command: { do: 'load', event } };
}

function confirmAll({ rows, bulk }: ViewState): KeyOutcome {
  const events = shownEvents(rows);
  if (bulk || events.length === 0) return NOTHING;
  return { actions: [{ kind: 'opened', panel: { open: 'confirm', events } }] };
}

/** Clears the filter, or the notice if there is no filter. */
function clear({ rows: { filter } }: ViewState): KeyOutcome {
  if (filter.text === '') return { actions: [{ kind: 'noticed', notice: null }] };
  const panel = { open: 'filter', draft: '', problem: null, before: filter } as const;
  return { actions: [{ kind: 'opened', panel }, { kind: 'drafted', text: '' }, { kind: 'closed' }] };
}

/** Handles a key while the user types the filter: every key that types is text. */
function typeFilter(panel: ViewState['panel'] & { open: 'filter' }, { name, text }: KeyPress): KeyOutcome {
  const drafted = (draft: string): KeyOutcome => ({ actions: [{ kind: 'drafted', text: draft }] });
  switch (name) {
    case 'enter':
      return panel.problem === null ? close() : NOTHING;
    case 'escape':
      return { actions: [{ kind: 'drafted', text: panel.before.text }, { kind: 'closed' }] };
    case 'backspace':
      return panel.draft === '' ? close() : drafted([...panel.draft].slice(0, -1).join(''));
    case 'ctrl-u':
      return drafted('');
    case 'ctrl-w':
      return drafted(panel.draft.replace(/\S*\s*$/, ''));
    default:
      // Control characters and line ends in pasted text become spaces.
      return text === ''
        ? NOTHING
        : drafted(panel.draft + text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' '));
  }
}
