import type { KeyPress } from './use-keys.ts';

/** Keys that belong together: what they do, for the help, and how. */
export interface KeyBinding<Handler> {
  /** The keys as the help shows them; empty for keys that the help leaves out. */
  shown: string;
  does: string;
  /** True for keys that only an emulator has. */
  isEmulators: boolean;
  /** The handlers, by the name of the key or the text that it types. */
  keys: Readonly<Record<string, Handler>>;
}

/**
 * Returns the binding of some keys. @param keys the handlers by the names of their keys. Several keys with one handler have spaces between
 * their names, and the space bar has the name `space`.
 */
export function bind<Handler>(
  shown: string,
  does: string,
  keys: Readonly<Record<string, Handler>>,
  { isEmulators = false } = {},
): KeyBinding<Handler> {
  const each = Object.entries(keys).flatMap(([names, handler]) =>
    names.split(' ').map((name) => [name === 'space' ? ' ' : name, handler] as const),
  );
  return { shown, does, isEmulators, keys: Object.fromEntries(each) };
}

/** The keys that move in a list or a page, which every screen has. */
export function moveKeys<Handler>(moves: {
  lines(by: number): Handler;
  screens(by: number): Handler;
  first: Handler;
  last: Handler;
}): Record<'lines' | 'screens' | 'ends', Readonly<Record<string, Handler>>> {
  return {
    lines: { 'up k': moves.lines(-1), 'down j': moves.lines(1) },
    screens: { pageup: moves.screens(-1), pagedown: moves.screens(1) },
    ends: { 'home g': moves.first, 'end G': moves.last },
  };
}

/** Returns what a key does; undefined for a key without a binding. A key of an earlier list hides the same key of a later one. */
export function handlerOf<Handler>(
  key: KeyPress,
  ...lists: readonly (readonly KeyBinding<Handler>[])[]
): Handler | undefined {
  const name = key.name || key.text;
  return lists.flat().find(({ keys }) => Object.hasOwn(keys, name))?.keys[name];
}
