import { expect, test } from 'vitest';
import { timestamp } from '../../shared/core/instant.ts';

test('a timestamp is RFC 3339 in UTC, to the millisecond', () => {
  expect(timestamp(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(timestamp(Date.UTC(2026, 1, 28, 23, 59, 59, 7))).toBe('2026-02-28T23:59:59.007Z');
});

test('the timestamp of null is null', () => {
  expect(timestamp(null)).toBeNull();
});
