import { handlerOf, type KeyBinding } from '../../screen/key-bindings.ts';
import { editText } from '../../screen/text-input.ts';
import type { KeyPress } from '../../screen/use-keys.ts';
import type { ActivityRow } from './activity-row.ts';
import { advancePanel, CLOSED, type ScreenAction, type ScreenState } from './screen-state.ts';

/** A command that a key sends to the emulator or to the browser. */
export type ScreenCommand =
  | { do: 'quit' }
  | { do: 'open' }
  | { do: 'reset' }
  | { do: 'next' }
  | { do: 'advance'; text: string }
  /** Reads the event of a row. */
  | { do: 'load'; row: ActivityRow };

interface Pressed {
  actions: readonly ScreenAction[];
  command?: ScreenCommand;
}

type Handler = (state: ScreenState) => Pressed;

const closed: ScreenAction = { kind: 'opened', panel: CLOSED };
const change =
  (...actions: ScreenAction[]): Handler =>
  () => ({ actions });
const run =
  (command: ScreenCommand): Handler =>
  () => ({ actions: [], command });

/** Moves in the list, or scrolls the panel that covers it. */
const by =
  (screens: number, rows = 0): Handler =>
  ({ panel, scroll, cursor }) => {
    const isList = panel.open === 'activity';
    const page = Math.max(1, (isList ? cursor : scroll).height - 1);
    return { actions: [{ kind: isList ? 'moved' : 'scrolled', by: rows + screens * page }] };
  };

const toEnd =
  (to: 'first' | 'last'): Handler =>
  ({ panel }) => {
    if (panel.open === 'activity') return { actions: [{ kind: 'jumped', to }] };
    const lines = to === 'first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return { actions: [{ kind: 'scrolled', by: lines }] };
  };

const toggled =
  (open: 'addresses' | 'keys'): Handler =>
  ({ panel }) => ({
    actions: [{ kind: 'opened', panel: { open: panel.open === open ? 'activity' : open } }],
  });

/** Opens the selected row, or closes the open one. */
const openRow: Handler = ({ panel, shown, cursor }) => {
  const row = shown[cursor.selected];
  if (panel.open !== 'activity') return { actions: [closed] };
  if (!row?.item) return { actions: [] };
  const hasEvent = 'event_id' in row.item;
  return {
    actions: [{ kind: 'opened', panel: { open: 'item', row, event: null } }],
    ...(hasEvent && { command: { do: 'load', row } }),
  };
};

/** The keys of the screen, which `?` lists. */
export const SCREEN_KEYS: readonly KeyBinding<Handler>[] = [
  { shown: 'o', does: 'open the dashboard in a browser', keys: { o: run({ do: 'open' }) } },
  { shown: 'Enter', does: 'show what happened in this line', keys: { enter: openRow, right: openRow } },
  { shown: 'i', does: 'show the addresses and the keys', keys: { i: toggled('addresses') } },
  { shown: '.', does: 'move the clock to the next due work', keys: { '.': run({ do: 'next' }) } },
  {
    shown: 'a',
    does: 'advance the clock by a duration, or to a time',
    keys: { a: change({ kind: 'opened', panel: advancePanel() }) },
  },
  {
    shown: 'r',
    does: 'reset the emulator to a fresh account',
    keys: { r: change({ kind: 'opened', panel: { open: 'reset' } }) },
  },
  {
    shown: 'f',
    does: 'show only one kind: api, edge, event, webhook, mail, log',
    keys: { f: change(closed, { kind: 'filtered' }) },
  },
  {
    shown: '↑ ↓ PgUp PgDn',
    does: 'move; G follows again',
    keys: {
      up: by(0, -1),
      k: by(0, -1),
      down: by(0, 1),
      j: by(0, 1),
      pageup: by(-1),
      pagedown: by(1),
      g: toEnd('first'),
      home: toEnd('first'),
      G: toEnd('last'),
      end: toEnd('last'),
    },
  },
  { shown: 'c', does: 'clear the list', keys: { c: change(closed, { kind: 'cleared' }) } },
  { shown: '?', does: 'show these keys', keys: { '?': toggled('keys') } },
  {
    shown: '',
    does: 'close',
    keys: { escape: change(closed, { kind: 'noticed', notice: null }), left: change(closed) },
  },
  { shown: 'q  Ctrl-C', does: 'stop the emulator', keys: { q: run({ do: 'quit' }) } },
  { shown: 'Ctrl-Z', does: 'suspend; fg resumes', keys: {} },
];

/** Turns a key into actions on the screen and at most one command. */
export function pressScreenKey(state: ScreenState, key: KeyPress): Pressed {
  if (key.name === 'ctrl-c' || key.name === 'ctrl-d') return { actions: [], command: { do: 'quit' } };
  const { panel } = state;
  if (panel.open === 'advance') return inAdvance(panel.input, key);
  // Pasted text goes into the prompt, and never acts as keys.
  if (key.isPasted) return { actions: [] };
  if (panel.open === 'reset') {
    return { actions: [closed], ...(key.name === 'enter' && { command: { do: 'reset' } }) };
  }
  return handlerOf(key, SCREEN_KEYS)?.(state) ?? { actions: [] };
}

/** Long enough for a time, and short enough for one line. */
const TEXT_MAX = 30;

function inAdvance(input: Parameters<typeof editText>[0], key: KeyPress): Pressed {
  const { text } = input;
  if (key.name === 'escape') return { actions: [closed] };
  if (key.name === 'enter') {
    return { actions: [closed], ...(text !== '' && { command: { do: 'advance', text } }) };
  }
  const edited = editText(input, { ...key, text: key.text.replace(/[^\w:.+-]/g, '') });
  if (edited === null || edited.text.length > TEXT_MAX) return { actions: [] };
  return { actions: [{ kind: 'opened', panel: { open: 'advance', input: edited } }] };
}
