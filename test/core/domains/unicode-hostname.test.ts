import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { unicodeHostname } from '../../../shared/core/domains/hostname.ts';

test.each([
  'bücher.example',
  'careers.münchen-büro.example',
  'łódź.example',
  '日本語.example',
  'ひらがなabc.example',
  '한국어.example',
  'пример.example',
  'παράδειγμα.example',
  'مثال.example',
  'ไทย.example',
])('the hostname %s is shown in Unicode', (written) => {
  expect(unicodeHostname(domainToASCII(written))).toBe(written);
});

test.each([
  ['аррӏе.example', 'Cyrillic that looks Latin throughout'],
  ['раураӏ.example', 'the same'],
  ['pаypal.example', 'one Cyrillic letter among Latin ones'],
  ['νο.example', 'Greek that looks Latin'],
  ['ɑpple.example', 'a phonetic letter'],
  ['tıme.example', 'a dotless i'],
  ['日本κ.example', 'two writing systems'],
  ['bücher.аррӏе.example', 'one label of two'],
  ['i❤.example', 'a sign'],
])('the hostname %s is not shown in Unicode: %s', (disguised) => {
  expect(domainToASCII(disguised)).toContain('xn--');
  expect(unicodeHostname(domainToASCII(disguised))).toBeNull();
});

test('an ASCII hostname has no separate Unicode form', () => {
  expect(unicodeHostname('careers.acme.com')).toBeNull();
});
