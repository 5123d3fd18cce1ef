/** A line of text that the user edits. */
export interface TextInput {
  text: string;
  /** The number of characters before the cursor. */
  cursor: number;
}

export function textInput(text: string): TextInput {
  return { text, cursor: [...text].length };
}

/** Returns the texts before and after the cursor. */
export function splitAtCursor({ text, cursor }: TextInput): [before: string, after: string] {
  const characters = [...text];
  return [characters.slice(0, cursor).join(''), characters.slice(cursor).join('')];
}

/** Returns the line after a key that edits it or moves its cursor; null if the key does neither. The keys are those of a shell. */
export function editText(input: TextInput, key: { name: string; text: string }): TextInput | null {
  const [before, after] = splitAtCursor(input);
  const edit = EDITS[key.name];
  if (edit) return joined(...edit(before, after));
  // Control characters and line ends in pasted text become spaces.
  const typed = key.text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return typed === '' ? null : joined(before + typed, after);
}

function joined(before: string, after: string): TextInput {
  return { text: before + after, cursor: [...before].length };
}

type Edit = (before: string, after: string) => [before: string, after: string];

const first = (text: string) => [...text][0] ?? '';
const last = (text: string) => [...text].at(-1) ?? '';

const left: Edit = (before, after) => [
  before.slice(0, before.length - last(before).length),
  last(before) + after,
];
const right: Edit = (before, after) => [before + first(after), after.slice(first(after).length)];
const home: Edit = (before, after) => ['', before + after];
const end: Edit = (before, after) => [before + after, ''];

const wordLeft: Edit = (before, after) => {
  const kept = before.replace(LAST_WORD, '');
  return [kept, before.slice(kept.length) + after];
};
const wordRight: Edit = (before, after) => {
  const rest = after.replace(FIRST_WORD, '');
  return [before + after.slice(0, after.length - rest.length), rest];
};
const deleteRight: Edit = (before, after) => [before, after.slice(first(after).length)];

const FIRST_WORD = /^\s*\S*/;
const LAST_WORD = /\S*\s*$/;

const EDITS: Readonly<Record<string, Edit>> = {
  left,
  'ctrl-b': left,
  right,
  'ctrl-f': right,
  home,
  'ctrl-a': home,
  end,
  'ctrl-e': end,
  backspace: (before, after) => [before.slice(0, before.length - last(before).length), after],
  delete: deleteRight,
  'ctrl-d': deleteRight,
  'alt-b': wordLeft,
  'alt-f': wordRight,
  'alt-d': (before, after) => [before, after.replace(FIRST_WORD, '')],
  'ctrl-u': (_, after) => ['', after],
  'ctrl-k': (before) => [before, ''],
  'ctrl-w': (before, after) => [before.replace(LAST_WORD, ''), after],
};
