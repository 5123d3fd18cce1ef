import { ALL_MOVES, bindKeys, type KeyBinding, stepsOf } from '../../screen/key-bindings.ts';
import { editText, type TextInput, textInput, textOf } from '../../screen/text-input.ts';
import type { KeyPress } from '../../screen/use-keys.ts';
import type { ActivityRow } from './activity-row.ts';
import type { ScreenAction, ScreenPanel, ScreenState } from './screen-state.ts';

/** A command of a key that acts on the emulator or on the browser, not only on the screen. */
export type ScreenCommand =
  | { do: 'quit' | 'open' | 'reset' | 'next' }
  | { do: 'advance'; text: string }
  /** Loads the event of a row for its page. */
  | { do: 'load'; row: ActivityRow };

type Step = ScreenAction | ScreenCommand;

const bind = bindKeys<ScreenState, Step>;
const opened = (panel: ScreenPanel): Step => ({ kind: 'opened', panel });
const CLOSE = opened({ open: 'activity' });

const toggled =
  (open: 'addresses' | 'keys') =>
  ({ panel }: ScreenState) => [panel.open === open ? CLOSE : opened({ open })];

/** The keys of the screen, which `?` lists. */
export const SCREEN_KEYS: readonly KeyBinding<ScreenState, Step>[] = [
  bind('o', 'open the dashboard in a browser', { o: [{ do: 'open' }] }),
  bind('Enter', 'show what happened in this line', { 'enter right': openRow }),
  bind('i', 'show the addresses and the keys', { i: toggled('addresses') }),
  bind('.', 'move the clock to the next due work', { '.': [{ do: 'next' }] }),
  bind('a', 'advance the clock by a duration, or to a time', {
    a: [opened({ open: 'advance', input: textInput('') })],
  }),
  bind('r', 'reset the emulator to a fresh account', { r: [opened({ open: 'reset' })] }),
  bind('f', 'show only one kind: api, edge, event, webhook, mail, log', { f: [CLOSE, { kind: 'filtered' }] }),
  bind('↑ ↓ PgUp PgDn', 'move; G follows again', ALL_MOVES),
  bind('c', 'clear the list', { c: [CLOSE, { kind: 'cleared' }] }),
  bind('?', 'show these keys', { '?': toggled('keys') }),
  bind('', 'close', { escape: [CLOSE, { kind: 'noticed', notice: null }], left: [CLOSE] }),
  bind('q  Ctrl-C', 'stop the emulator', { q: [{ do: 'quit' }] }),
  bind('Ctrl-Z', 'suspend; fg resumes', {}),
];

/** Opens the page of the selected row, or closes the open page. */
function openRow({ panel, shown, cursor }: ScreenState): readonly Step[] {
  const row = shown[cursor.selected];
  if (panel.open !== 'activity') return [CLOSE];
  if (!row?.item) return [];
  const page = opened({ open: 'item', row, event: null });
  return 'event_id' in row.item ? [page, { do: 'load', row }] : [page];
}

/** Returns what a pressed key does in the current state, as actions and commands. A pure function: the caller carries them out. */
export function pressScreenKey(state: ScreenState, key: KeyPress): readonly Step[] {
  if (key.name === 'ctrl-c' || key.name === 'ctrl-d') return [{ do: 'quit' }];
  const { panel } = state;
  if (panel.open === 'advance') return inAdvance(panel.input, key);
  // Pasted text goes into the prompt and never triggers key bindings.
  if (key.isPasted) return [];
  if (panel.open === 'reset') return key.name === 'enter' ? [CLOSE, { do: 'reset' }] : [CLOSE];
  return stepsOf(state, key, SCREEN_KEYS);
}

/** The maximum length of the typed text: enough for an RFC 3339 time, and short enough for one line. */
const TEXT_MAX = 30;

function inAdvance(input: TextInput, key: KeyPress): readonly Step[] {
  const text = textOf(input);
  if (key.name === 'enter' && text !== '') return [CLOSE, { do: 'advance', text }];
  if (key.name === 'enter' || key.name === 'escape') return [CLOSE];
  const edited = editText(input, { ...key, text: key.text.replace(/[^\w:.+-]/g, '') });
  if (edited === null || textOf(edited).length > TEXT_MAX) return [];
  return [opened({ open: 'advance', input: edited })];
}
