import { expect, test } from 'vitest';
import { editText, textInput } from '../../../cli/screen/text-input.ts';

/** Presses keys in a text input. Returns the text with a bar at the cursor's position. */
function typed(text: string, ...keys: string[]): string {
  let input = textInput(text);
  for (const key of keys) {
    const isText = !/^(left|right|home|end|backspace|delete|ctrl-.|alt-.)$/.test(key);
    input = editText(input, isText ? { name: '', text: key } : { name: key, text: '' }) ?? input;
  }
  return `${input.before}|${input.after}`;
}

test.each([
  [['x'], 'host:acmex|'],
  [['left', 'left', 'x'], 'host:acx|me'],
  [['ctrl-a', '-'], '-|host:acme'],
  [['home', 'right', 'backspace'], '|ost:acme'],
  [['home', 'left', 'backspace'], '|host:acme'],
  [['home', 'ctrl-d'], '|ost:acme'],
  [['home', 'delete'], '|ost:acme'],
  [['home', 'ctrl-e', 'right'], 'host:acme|'],
  [[' ', 'code', 'alt-b'], 'host:acme |code'],
  [[' ', 'code', 'home', 'alt-f'], 'host:acme| code'],
  [[' ', 'code', 'home', 'alt-d'], '| code'],
  [['left', 'ctrl-u'], '|e'],
  [['left', 'ctrl-k'], 'host:acm|'],
  [[' ', 'code', 'ctrl-w'], 'host:acme |'],
])('a text input turns the keys %j into %s', (keys, expected) => {
  expect(typed('host:acme', ...keys)).toBe(expected);
});

test('the text input moves over whole characters, and deletes whole characters', () => {
  expect(typed('a😀b', 'left', 'backspace')).toBe('a|b');
  expect(typed('a😀b', 'left', 'left')).toBe('a|😀b');
});

test('the text input turns control characters and line ends of pasted text into spaces', () => {
  expect(typed('', 'a\r\n\u001b[31mb\u202ec')).toBe('a [31mb c|');
});
