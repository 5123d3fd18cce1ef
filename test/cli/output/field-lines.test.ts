import { expect, test } from 'vitest';
import { fieldLines } from '../../../cli/output/field-lines.ts';

const plain = (_: string, text: string) => text;
const HINT = 'Add a CAA record at caa.acme.com. Keep the existing records.';

test('a field line of the CLI wraps a long value at its spaces, within its column', () => {
  expect(
    fieldLines(
      [
        ['id', 'dom_1'],
        ['hint', HINT],
      ],
      { width: 40, paint: plain },
    ),
  ).toEqual(['id    dom_1', 'hint  Add a CAA record at caa.acme.com.', '      Keep the existing records.']);
});

test.each([
  ['for a pipe, because a script reads it', Number.POSITIVE_INFINITY, HINT],
  ['in a column too narrow to read', 20, HINT],
  ['with styles, whose sequences have no width', 40, `\u001b[31m${HINT}\u001b[39m`],
])('a field line of the CLI does not wrap a value %s', (_, width, value) => {
  expect(fieldLines([['hint', value]], { width, paint: plain })).toEqual([`hint  ${value}`]);
});
