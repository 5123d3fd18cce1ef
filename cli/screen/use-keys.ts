import { type Key, useInput, usePaste } from 'ink';

/** A pressed key, either with a name, such as `up` or `ctrl-c`, or with the text that it types. */
export interface KeyPress {
  /** The key's name; empty for a key that types text. */
  name: string;
  /** The text that the key types or that the user pasted; empty if there is none. */
  text: string;
  /** True if the user pasted the text. Pasted text must not act as keys. */
  isPasted: boolean;
}

/** A slow connection may deliver several keys together. More keys than this are a paste on a terminal without bracketed paste. */
const KEYS_AT_ONCE_MAX = 8;
/** Longer pasted texts are cut, because no input of a view needs more characters. */
const PASTE_CHARS_MAX = 10_000;

/** Calls `pressed` for each key, and once for each bracketed paste. */
export function useKeys(pressed: (key: KeyPress) => void): void {
  useInput((input, key) => {
    const isPasted = [...input].length > KEYS_AT_ONCE_MAX;
    for (const press of keysOf(input, key)) pressed({ ...press, isPasted });
  });
  usePaste((text) => pressed({ name: 'paste', text: text.slice(0, PASTE_CHARS_MAX), isPasted: true }));
}

/** Converts Ink's input to keys. Ink passes characters that arrived together as one text. */
export function keysOf(input: string, key: Key): Omit<KeyPress, 'isPasted'>[] {
  const named = NAMED.find(([is]) => key[is]);
  if (named) {
    const [, name] = named;
    // As in a shell, Alt and Ctrl with an arrow move by a word.
    const word = key.meta || key.ctrl ? WORD_KEYS[name] : undefined;
    return [{ name: word ?? name, text: '' }];
  }
  if (key.ctrl) return [{ name: `ctrl-${input}`, text: '' }];
  if (key.meta) {
    if (/^[bdf]$/.test(input)) return [{ name: `alt-${input}`, text: '' }];
    // Terminals send Alt with a key as Escape followed by the key, so the user may have pressed both keys one after the other.
    return [{ name: 'escape', text: '' }, ...[...input].map(keyOf)];
  }
  return [...input].map(keyOf);
}

const NAMED = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const satisfies [keyof Key, string][];

const WORD_KEYS: Readonly<Record<string, string>> = { left: 'alt-b', right: 'alt-f' };

const CONTROL_NAMES: Readonly<Record<string, string>> = { '\r': 'enter', '\n': 'enter', '\t': 'tab' };

function keyOf(character: string): Omit<KeyPress, 'isPasted'> {
  const code = character.charCodeAt(0);
  const control = code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(code + 96)}` : '';
  const name = CONTROL_NAMES[character] ?? control;
  return { name, text: name === '' ? character : '' };
}
