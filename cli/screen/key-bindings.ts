import { wrapText } from '../output/wrap-text.ts';
import type { Move } from './list-cursor.ts';
import { pageLines } from './page-lines.ts';
import type { KeyPress } from './use-keys.ts';

/** The steps of a key, or a function that returns them. A step is an action that changes the state, or a command with other effects. */
export type KeyHandler<State, Step> = readonly Step[] | ((state: State) => readonly Step[]);

/** A group of keys with their handlers, and the line about them in the help. */
export interface KeyBinding<State, Step> {
  /** The keys as the help shows them; empty for keys that the help leaves out. */
  shown: string;
  does: string;
  /** True for keys that work only with an emulator. */
  isEmulators: boolean;
  /** The handlers, by the name of the key or the text that it types. */
  keys: Readonly<Record<string, KeyHandler<State, Step>>>;
}

/**
 * Returns the binding of some keys. @param keys the handlers by the names of their keys. Names of keys that share a handler are separated
 * by spaces. The space bar is called `space`.
 */
export function bindKeys<State, Step>(
  shown: string,
  does: string,
  keys: KeyBinding<State, Step>['keys'],
  { isEmulators = false } = {},
): KeyBinding<State, Step> {
  const each = Object.entries(keys).flatMap(([names, handler]) =>
    names.split(' ').map((name) => [name === 'space' ? ' ' : name, handler] as const),
  );
  return { shown, does, isEmulators, keys: Object.fromEntries(each) };
}

/** The keys that move in a list or a page, on every screen. */
export const MOVE_KEYS = {
  rows: { 'up k': [{ kind: 'moved', by: -1 }], 'down j': [{ kind: 'moved', by: 1 }] },
  screens: { pageup: [{ kind: 'paged', by: -1 }], pagedown: [{ kind: 'paged', by: 1 }] },
  ends: { 'home g': [{ kind: 'jumped', to: 'first' }], 'end G': [{ kind: 'jumped', to: 'last' }] },
} as const satisfies Record<string, Readonly<Record<string, readonly Move[]>>>;

export const ALL_MOVES = { ...MOVE_KEYS.rows, ...MOVE_KEYS.screens, ...MOVE_KEYS.ends };

/** Returns the steps of a key; none for a key without a binding. If two bindings have the same key, the earlier one applies. */
export function stepsOf<State, Step>(
  state: State,
  key: KeyPress,
  bindings: readonly KeyBinding<State, Step>[],
): readonly Step[] {
  const name = key.name || key.text;
  const handler = bindings.find(({ keys }) => Object.hasOwn(keys, name))?.keys[name] ?? [];
  return typeof handler === 'function' ? handler(state) : handler;
}

const KEYS_WIDTH = 14;
const MEANING_WIDTH_MIN = 12;

/** Returns the help lines of a screen: its keys and what they do. */
export function keyHelpLines(
  bindings: readonly Pick<KeyBinding<never, unknown>, 'shown' | 'does'>[],
  columns: number,
): string[] {
  return pageLines(columns, ({ paint }) =>
    bindings
      .filter(({ shown }) => shown !== '')
      .flatMap(({ shown, does }) =>
        wrapText(does, Math.max(MEANING_WIDTH_MIN, columns - KEYS_WIDTH)).map(
          (text, index) => paint('bold', (index === 0 ? shown : '').padEnd(KEYS_WIDTH)) + text,
        ),
      ),
  );
}
