import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const NOW = Date.parse('2026-11-26T20:38:11Z');
let relativeTime: (atMs: number, now: number | null) => string;

beforeAll(async () => {
  vi.useFakeTimers();
  // Lazy: the module starts a timer, which must be a fake one.
  ({ relativeTime } = await import('../../shared/dashboard/browser/times.tsx'));
});
afterAll(() => void vi.useRealTimers());

test.each([
  ['2026-11-26T20:38:11Z', 'now'],
  ['2026-11-26T20:38:03Z', '8 s ago'],
  ['2026-11-26T20:26:00Z', '12 min ago'],
  ['2026-11-26T15:38:00Z', '5 h ago'],
  ['2026-11-24T15:38:00Z', '24 Nov, 15:38'],
  ['2025-11-24T15:38:00Z', '24 Nov 2025, 15:38'],
  ['2026-11-26T20:38:20Z', 'in 9 s'],
  ['2026-11-27T20:39:00Z', 'tomorrow, 20:39'],
  ['2026-11-29T08:05:00Z', '29 Nov, 08:05'],
  ['2027-02-24T20:39:00Z', '24 Feb 2027, 20:39'],
])('an instant at %s is shown as "%s"', (at, words) => {
  expect(relativeTime(Date.parse(at), NOW)).toBe(words);
});

test('an instant is shown as a date until the time of the server is known', () => {
  expect(relativeTime(NOW, null)).toBe('26 Nov 2026');
});
