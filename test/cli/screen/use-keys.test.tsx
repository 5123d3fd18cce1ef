import { Text } from 'ink';
import { expect, test } from 'vitest';
import { type KeyPress, useKeys } from '../../../cli/screen/use-keys.ts';
import { draw } from './drawn.ts';

/** Sends chunks of bytes as a terminal does. Returns the keys that a component receives. */
async function keysFor(...chunks: string[]): Promise<string[]> {
  const keys: KeyPress[] = [];
  function Listener() {
    useKeys((key) => void keys.push(key));
    return <Text>listening</Text>;
  }
  using drawn = await draw(<Listener />);
  for (const chunk of chunks) {
    drawn.type(chunk);
    await drawn.settled();
  }
  // A lone Escape byte may begin a sequence, so it becomes a key only when no byte follows for a moment.
  await expect.poll(() => keys.length > 0 || chunks.join('') === '').toBe(true);
  return keys.map(({ name, text, isPasted }) => `${name || text}${isPasted ? ' (pasted)' : ''}`);
}

test.each([
  ['\r', ['enter']],
  ['\n', ['enter']],
  ['\t', ['tab']],
  ['\u001b[Z', ['tab']],
  ['\u007f', ['backspace']],
  ['\b', ['backspace']],
  ['\u001b', ['escape']],
  ['\u001b[A\u001bOB\u001b[C\u001bOD', ['up', 'down', 'right', 'left']],
  ['\u001b[5~\u001b[6~', ['pageup', 'pagedown']],
  ['\u001b[H\u001bOH\u001b[1~\u001b[7~', ['home', 'home', 'home', 'home']],
  ['\u001b[F\u001bOF\u001b[4~\u001b[8~', ['end', 'end', 'end', 'end']],
  ['\u001b[3~', ['delete']],
  ['\u001b[1;3D\u001b[1;5C\u001bb\u001bf\u001bd', ['alt-b', 'alt-f', 'alt-b', 'alt-f', 'alt-d']],
  ['\u0001\u0003\u0017\u001a', ['ctrl-a', 'ctrl-c', 'ctrl-w', 'ctrl-z']],
  ['jk é漢', ['j', 'k', ' ', 'é', '漢']],
  ['\u001bq', ['escape', 'q']],
])('useKeys reads %j as the keys %j', async (bytes, names) => {
  expect(await keysFor(bytes)).toEqual(names);
});

test('useKeys reads an escape sequence that arrives in two chunks as one key', async () => {
  expect(await keysFor('\u001b[', '5~')).toEqual(['pageup']);
});

test('useKeys reads pasted text as one text, even if it contains keys', async () => {
  expect(await keysFor('\u001b[200~a\r\u0003b\u001b[201~', 'q')).toEqual(['paste (pasted)', 'q']);
});

test('on a terminal that does not mark pastes, useKeys reads more than eight characters at once as a paste', async () => {
  expect(await keysFor('123456789')).toEqual([...'123456789'].map((digit) => `${digit} (pasted)`));
  expect(await keysFor('12345678')).toEqual([...'12345678']);
});

test('useKeys ignores mouse and focus reports', async () => {
  expect(await keysFor('\u001b[<65;10;10M\u001b[Iq')).toEqual(['q']);
});
