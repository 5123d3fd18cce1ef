import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportAge } from '../../../../service/edge/replica/report-age.ts';
import { HOUR_MS } from '../../../../shared/core/instant.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('an edge whose replica is too old logs an error each hour, until the replica is up to date again', () => {
  const logged: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object) => logged.push(fields),
  };
  let ageMs = 24 * HOUR_MS;
  const stop = reportAge({ ageMs: () => ageMs }, 24 * HOUR_MS, log);
  vi.advanceTimersByTime(2 * HOUR_MS);
  expect(logged).toEqual([]);
  ageMs = 25.5 * HOUR_MS;
  vi.advanceTimersByTime(2 * HOUR_MS);
  expect(logged).toEqual([{ hours: 25 }, { hours: 25 }]);
  ageMs = 100;
  vi.advanceTimersByTime(2 * HOUR_MS);
  ageMs = 30 * HOUR_MS;
  stop();
  vi.advanceTimersByTime(2 * HOUR_MS);
  expect(logged).toHaveLength(2);
});
