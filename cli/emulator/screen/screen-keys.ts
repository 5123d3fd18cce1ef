import type { ScreenAction, ScreenState } from './screen-state.ts';

/** A command that a key sends to the emulator, the browser or the terminal. */
export type ScreenCommand =
  | { do: 'quit' }
  | { do: 'suspend' }
  | { do: 'open' }
  | { do: 'reset' }
  | { do: 'next' }
  | { do: 'advance'; text: string };

interface Pressed {
  actions: readonly ScreenAction[];
  command?: ScreenCommand;
}

/** The keys of the screen, which `?` lists. */
export const SCREEN_KEYS: readonly { keys: string; does: string }[] = [
  { keys: 'o', does: 'open the dashboard in a browser' },
  { keys: 'i', does: 'show the addresses and the keys' },
  { keys: '.', does: 'move the clock to the next due work' },
  { keys: 'a', does: 'advance the clock by a duration, or to a time' },
  { keys: 'r', does: 'reset the emulator to a fresh account' },
  { keys: 'f', does: 'show only one kind: api, edge, event, webhook, mail, log' },
  { keys: '↑ ↓ PgUp PgDn', does: 'scroll; G follows again' },
  { keys: 'c', does: 'clear the list' },
  { keys: '?', does: 'show these keys' },
  { keys: 'q  Ctrl-C', does: 'stop the emulator' },
  { keys: 'Ctrl-Z', does: 'suspend; fg resumes' },
];

/** Turns a key into actions on the screen and at most one command. @param key a character, or a name such as `up`. */
export function pressScreenKey(state: ScreenState, key: string): Pressed {
  if (key === 'ctrl-c' || key === 'ctrl-d') return { actions: [], command: { do: 'quit' } };
  if (key === 'ctrl-z') return { actions: [], command: { do: 'suspend' } };
  const { panel } = state;
  if (panel.open === 'advance') return inAdvance(panel.text, key);
  if (panel.open === 'reset') {
    if (key === 'enter') return { actions: [closed], command: { do: 'reset' } };
    return { actions: [closed] };
  }
  return inList(state, key);
}

const closed: ScreenAction = { kind: 'opened', panel: { open: 'activity' } };

/** Long enough for a time, and short enough for one line. */
const TEXT_MAX = 30;

function inAdvance(text: string, key: string): Pressed {
  const typed = (next: string): Pressed => ({
    actions: [{ kind: 'opened', panel: { open: 'advance', text: next } }],
  });
  if (key === 'escape') return { actions: [closed] };
  if (key === 'backspace') return typed(text.slice(0, -1));
  if (key === 'enter')
    return text === '' ? { actions: [closed] } : { actions: [closed], command: { do: 'advance', text } };
  return /^[\w:.+-]$/.test(key) && text.length < TEXT_MAX ? typed(text + key) : { actions: [] };
}

function inList({ panel, size }: ScreenState, key: string): Pressed {
  const page = Math.max(1, size.rows - 8);
  const toggled = (open: 'addresses' | 'keys'): Pressed => ({
    actions: [{ kind: 'opened', panel: { open: panel.open === open ? 'activity' : open } }],
  });
  const scrolled = (by: number): Pressed => ({ actions: [closed, { kind: 'scrolled', by }] });
  switch (key) {
    case 'q':
      return { actions: [], command: { do: 'quit' } };
    case 'o':
      return { actions: [], command: { do: 'open' } };
    case '.':
      return { actions: [], command: { do: 'next' } };
    case 'a':
      return { actions: [{ kind: 'opened', panel: { open: 'advance', text: '' } }] };
    case 'r':
      return { actions: [{ kind: 'opened', panel: { open: 'reset' } }] };
    case 'i':
      return toggled('addresses');
    case '?':
      return toggled('keys');
    case 'f':
      return { actions: [closed, { kind: 'filtered' }] };
    case 'c':
      return { actions: [closed, { kind: 'cleared' }] };
    case 'escape':
      return { actions: [closed, { kind: 'noticed', notice: null }] };
    case 'up':
    case 'k':
      return scrolled(1);
    case 'down':
    case 'j':
      return scrolled(-1);
    case 'pageup':
      return scrolled(page);
    case 'pagedown':
      return scrolled(-page);
    case 'g':
    case 'home':
      return scrolled(Number.MAX_SAFE_INTEGER);
    case 'G':
    case 'end':
      return scrolled(-Number.MAX_SAFE_INTEGER);
    default:
      return { actions: [] };
  }
}
