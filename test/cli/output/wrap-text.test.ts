import { expect, test } from 'vitest';
import { wrapText } from '../../../cli/output/wrap-text.ts';

test.each([
  ['a line that fits', 20, ['a line that fits']],
  ['a line that does not', 10, ['a line', 'that does', 'not']],
  [
    'see https://docs.example.com/reasons/x for more',
    10,
    ['see', 'https://docs.example.com/reasons/x', 'for more'],
  ],
  ['piped text is whole', Number.POSITIVE_INFINITY, ['piped text is whole']],
  ['日本語 の ドメイン', 8, ['日本語', 'の', 'ドメイン']],
  ['', 10, ['']],
])('wrapText wraps %j to %d columns', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});
