import { expect, test } from 'vitest';
import { instantOf } from '../../../cli/events/since.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['1h', '2026-11-20T11:00:00Z'],
  ['2026-11-19', '2026-11-19T00:00:00Z'],
  ['2026-11-19T10:00Z', '2026-11-19T10:00:00Z'],
  ['2026-11-19 10:00:00Z', '2026-11-19T10:00:00Z'],
  ['2026-11-19T10:00:00+02:00', '2026-11-19T08:00:00Z'],
])('--since %s is %s', (text, expected) => {
  expect(instantOf(text, NOW)).toBe(Date.parse(expected));
});

test.each(['2026-11-19T10:00', '2026-11-19 10:00:00'])(
  '--since %s is refused, because it has no zone',
  (text) => {
    expect(() => instantOf(text, NOW)).toThrow(`${text} has no time zone.`);
  },
);
