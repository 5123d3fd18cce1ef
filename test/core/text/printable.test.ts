import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, quoted, quotedUrl } from '../../../shared/core/text/printable.ts';

test('letters of any script stand as they are, everything else that is not ASCII is escaped', () => {
  expect(quoted('bücher.de')).toBe('"bücher.de"');
  expect(quoted('a\nb\u202ec\u{1f4a9}')).toBe('"a\\u{a}b\\u{202e}c\\u{1f4a9}"');
  expect(quoted('a"b\\c')).toBe('"a\\"b\\\\c"');
  expect(printable('a"b')).toBe('a"b');
});

test('a user name and a password in an address are not repeated', () => {
  expect(quotedUrl('https://user:hunter2@foo.com/a')).toBe('"https://***@foo.com/a"');
  expect(quotedUrl('user:hun@ter2@foo.com')).toBe('"***@foo.com"');
  expect(quotedUrl('https://foo.com/a')).toBe('"https://foo.com/a"');
});

test('long text is cut, and half a surrogate pair at the cut is escaped', () => {
  expect(printable('x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}...`);
  expect(printable('ab\u{1f4a9}', 3)).toBe('ab\\u{d83d}...');
});

test('whatever comes in, what goes out is one bounded line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const out = quoted(text, 40);
      expect(out.isWellFormed()).toBe(true);
      expect(out).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(out.length).toBeLessThanOrEqual(40 * 10 + 5);
    }),
  );
});
