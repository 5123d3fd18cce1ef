import { expect, test } from 'vitest';
import { unstorable } from '../../../shared/core/text/printable.ts';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

test('unstorable names the path of each text that the database cannot store', () => {
  const value = {
    name: 'a\0',
    tags: ['x', '\ud800'],
    ok: '\u001b\u202e',
    deep: { 'k\0': 1 },
    n: 1,
    none: null,
  };
  expect(unstorable(value)).toEqual([
    { path: 'name', message: 'must not hold the character U+0000' },
    { path: 'tags.1', message: 'must not hold a lone surrogate' },
    { path: 'deep', message: 'must not hold the character U+0000' },
  ]);
});

test('unstorable allows 64 levels, and checks a value of any depth without overflowing the stack', () => {
  expect(unstorable(nested(64))).toEqual([]);
  for (const levels of [64, 12_000])
    expect(unstorable({ a: nested(levels) })).toEqual([{ path: 'a', message: 'is nested too deeply' }]);
});
