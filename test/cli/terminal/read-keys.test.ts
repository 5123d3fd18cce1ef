import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeyReader, isPasted, type KeyPress } from '../../../cli/terminal/read-keys.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Splits before each escape character and after it, as a slow connection may. */
const PARTS = new RegExp(`(?=${String.fromCharCode(27)})|(?<=${String.fromCharCode(27)})`);

/** Returns the keys that a reader finds in these chunks, each as its name or its text. */
function read(...chunks: string[]): string[] {
  const keys: KeyPress[] = [];
  const reader = createKeyReader((together) => keys.push(...together));
  for (const chunk of chunks) reader.read(chunk);
  vi.runAllTimers();
  return keys.map(({ name, text, line }) =>
    [name, text, line].filter((part) => part || part === 0).join(' '),
  );
}

test.each([
  ['q', ['q']],
  ['é漢👍', ['é', '漢', '👍']],
  ['\r\n\t\u007f\b', ['enter', 'enter', 'tab', 'backspace', 'backspace']],
  ['\u001b[Z', ['tab']],
  ['\u001b[A\u001bOB\u001b[C\u001b[D', ['up', 'down', 'right', 'left']],
  ['\u001b[5~\u001b[6~', ['pageup', 'pagedown']],
  ['\u001b[H\u001bOH\u001b[1~\u001b[7~', ['home', 'home', 'home', 'home']],
  ['\u001b[F\u001bOF\u001b[4~\u001b[8~', ['end', 'end', 'end', 'end']],
  ['\u0003\u0004\u001a\u0017', ['ctrl-c', 'ctrl-d', 'ctrl-z', 'ctrl-w']],
  ['\u001b', ['escape']],
  ['\u001b\u001b', ['escape', 'escape']],
  ['\u001bb\u001b[1;5C', ['alt-b', 'alt-f']],
  ['\u001bq\u001b\t', ['escape', 'q', 'escape', 'tab']],
  ['\u001b[<65;10;10M', ['wheeldown 9']],
  ['\u001b[<0;10;1M\u001b[<0;10;1m\u001b[<2;1;1M', ['click 0']],
  ['\u001b[200~a\nq\u001b[A\u001b[201~q', ['paste a\nq\u001b[A', 'q']],
  ['a\u001b[15~\u001b[1;2A\u001b[?1;2cb', ['a', 'b']],
])('reads %j as %j', (chunk, keys) => {
  expect(read(chunk)).toEqual(keys);
  expect(read(...chunk.split(PARTS))).toEqual(keys);
});

test('Escape acts once no rest of a sequence follows', () => {
  const keys: string[] = [];
  const reader = createKeyReader((together) => keys.push(...together.map(({ name }) => name)));
  reader.read('\u001b');
  expect(keys).toEqual([]);
  vi.advanceTimersByTime(25);
  expect(keys).toEqual(['escape']);
  reader.read('[A');
  expect(keys).toEqual(['escape', '', '']);
});

test('drops a sequence whose rest never comes, and waits for the end of a paste', () => {
  expect(read('\u001b[1;')).toEqual([]);
  const keys: KeyPress[] = [];
  const reader = createKeyReader((together) => keys.push(...together));
  reader.read('\u001b[200~host:');
  vi.advanceTimersByTime(60_000);
  reader.read('acme\u001b[201~');
  expect(keys).toEqual([{ name: 'paste', text: 'host:acme' }]);
});

test('a paste is what the terminal marks, or many keys together; a key beside a marked paste still acts', () => {
  const typed = (text: string) => [...text].map((character) => ({ name: '', text: character }));
  const pasted = (keys: readonly KeyPress[]) => keys.map((key) => isPasted(key, keys));
  expect(pasted(typed('kkr'))).toEqual([false, false, false]);
  expect(pasted(typed('rm -rf everything'))).toEqual(Array.from('rm -rf everything', () => true));
  const paste = { name: 'paste', text: 'q' };
  expect(pasted([paste, ...typed('a'), paste])).toEqual([true, false, true]);
});

test('keeps only the start of a long paste, and reads the keys after it', () => {
  const chunks = Array.from({ length: 320 }, () => 'a'.repeat(64 * 1024));
  const keys: KeyPress[] = [];
  const reader = createKeyReader((together) => keys.push(...together));
  for (const chunk of ['\u001b[200~', ...chunks, '\u001b[20', '1~q']) reader.read(chunk);
  expect(keys.map(({ name, text }) => name || text)).toEqual(['paste', 'q']);
  expect(keys[0]?.text).toMatch(/^a{9990,10000}$/);
});
