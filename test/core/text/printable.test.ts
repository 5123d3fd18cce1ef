import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, quoted, quotedUrl } from '../../../shared/core/text/printable.ts';

test('the printable text has letters of any script, and escapes all other characters outside ASCII', () => {
  expect(quoted('bücher.de')).toBe('"bücher.de"');
  expect(quoted('a\nb\u202ec\u{1f4a9}')).toBe('"a\\u{a}b\\u{202e}c\\u{1f4a9}"');
  expect(quoted('a"b\\c')).toBe('"a\\"b\\\\c"');
  expect(printable('a"b')).toBe('a"b');
});

test('the printable text of a URL contains no user name or password', () => {
  expect(quotedUrl('https://user:hunter2@foo.com/a')).toBe('"https://***@foo.com/a"');
  expect(quotedUrl('user:hun@ter2@foo.com')).toBe('"***@foo.com"');
  expect(quotedUrl('https://foo.com/a')).toBe('"https://foo.com/a"');
});

test('the printable text truncates long text, and escapes half a surrogate pair at the cut', () => {
  expect(printable('x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}...`);
  expect(printable('ab\u{1f4a9}', 3)).toBe('ab\\u{d83d}...');
});

test('the printable text is always one line of limited length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const out = quoted(text, 40);
      expect(out.isWellFormed()).toBe(true);
      expect(out).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(out.length).toBeLessThanOrEqual(40 * 10 + 5);
    }),
  );
});
