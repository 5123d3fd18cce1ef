/** A line of text that the user edits, before and after the cursor. */
export interface TextInput {
  before: string;
  after: string;
}

export function textInput(text: string): TextInput {
  return { before: text, after: '' };
}

export function textOf({ before, after }: TextInput): string {
  return before + after;
}

/**
 * Applies a key that edits the line or moves its cursor, and returns the new line. Returns null for any other key. The keys are the same as
 * in a shell.
 */
export function editText(
  { before, after }: TextInput,
  key: { name: string; text: string },
): TextInput | null {
  const edit = EDITS[key.name];
  if (edit) {
    const [left, right] = edit(before, after);
    return { before: left, after: right };
  }
  // Control characters and line ends in pasted text become spaces.
  const typed = key.text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return typed === '' ? null : { before: before + typed, after };
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
