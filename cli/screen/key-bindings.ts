import type { KeyPress } from './use-keys.ts';

/** Keys that belong together: what they do, for the help, and how. */
export interface KeyBinding<Handler> {
  /** The keys as the help shows them; empty for keys that the help leaves out. */
  shown: string;
  does: string;
  /** True for keys that only an emulator has. */
  emulator?: true;
  /** The handlers, by the name of the key or the text that it types. */
  keys: Readonly<Record<string, Handler>>;
}

/** Returns what a key does; undefined for a key without a binding. A key of an earlier list hides the same key of a later one. */
export function handlerOf<Handler>(
  key: KeyPress,
  ...lists: readonly (readonly KeyBinding<Handler>[])[]
): Handler | undefined {
  const name = key.name || key.text;
  return lists.flat().find(({ keys }) => Object.hasOwn(keys, name))?.keys[name];
}
