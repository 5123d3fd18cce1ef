import { bind, handlerOf, type KeyBinding, moveKeys } from '../../screen/key-bindings.ts';
import { editText } from '../../screen/text-input.ts';
import type { KeyPress } from '../../screen/use-keys.ts';
import type { ActivityRow } from './activity-row.ts';
import {
  advancePanel,
  CLOSED,
  type ScreenAction,
  type ScreenPanel,
  type ScreenState,
} from './screen-state.ts';

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
const opened = (panel: ScreenPanel) => change({ kind: 'opened', panel });
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

const MOVES = moveKeys({
  lines: (lines) => by(0, lines),
  screens: (screens) => by(screens),
  first: toEnd('first'),
  last: toEnd('last'),
});

/** The keys of the screen, which `?` lists. */
export const SCREEN_KEYS: readonly KeyBinding<Handler>[] = [
  bind('o', 'open the dashboard in a browser', { o: run({ do: 'open' }) }),
  bind('Enter', 'show what happened in this line', { 'enter right': openRow }),
  bind('i', 'show the addresses and the keys', { i: toggled('addresses') }),
  bind('.', 'move the clock to the next due work', { '.': run({ do: 'next' }) }),
  bind('a', 'advance the clock by a duration, or to a time', { a: opened(advancePanel()) }),
  bind('r', 'reset the emulator to a fresh account', { r: opened({ open: 'reset' }) }),
  bind('f', 'show only one kind: api, edge, event, webhook, mail, log', {
    f: change(closed, { kind: 'filtered' }),
  }),
  bind('↑ ↓ PgUp PgDn', 'move; G follows again', { ...MOVES.lines, ...MOVES.screens, ...MOVES.ends }),
  bind('c', 'clear the list', { c: change(closed, { kind: 'cleared' }) }),
  bind('?', 'show these keys', { '?': toggled('keys') }),
  bind('', 'close', { escape: change(closed, { kind: 'noticed', notice: null }), left: change(closed) }),
  bind('q  Ctrl-C', 'stop the emulator', { q: run({ do: 'quit' }) }),
  bind('Ctrl-Z', 'suspend; fg resumes', {}),
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
