import { expect, test } from 'vitest';
import { readDuration } from '../../../shared/core/instant.ts';

test.each([
  ['250ms', 250],
  ['10s', 10_000],
  ['72h', 259_200_000],
  ['90d', 7_776_000_000],
  ['1h30m', 5_400_000],
  ['1m500ms', 60_500],
  ['0s', 0],
])('the duration parser reads %s as %i ms', (text, durationMs) => {
  expect(readDuration(text)).toBe(durationMs);
});

test.each([
  '',
  'soon',
  '10',
  'h',
  '-1h',
  '1.5h',
  '1 h',
  ' 1h',
  '1h ',
  '1h\n',
  '1h,30m',
  '1w',
  '1H',
  '12345678901h',
])('the duration parser rejects %j', (text) => {
  expect(readDuration(text)).toBeNull();
});
