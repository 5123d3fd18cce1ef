import { expect, test } from 'vitest';
import {
  addLoss,
  type Losses,
  NO_LOSSES,
  restartDelayMs,
} from '../../../service/processes/restart-policy.ts';

function lose(times: number, ranMs: number | null, from = NO_LOSSES): Losses {
  return Array.from({ length: times }).reduce<Losses>((losses) => addLoss(losses, ranMs), from);
}

test('a process of a node restarts at once the first time, then after growing delays below five seconds', () => {
  const delays = [1, 2, 3, 4, 5, 6, 100].map((times) => restartDelayMs(lose(times, 1_000)));
  expect(delays).toEqual([0, 500, 1000, 2000, 4000, 4000, 4000]);
});

test('a process of a node restarts at once if it has run for a minute', () => {
  expect(restartDelayMs(lose(1, 60_000, lose(10, 1_000)))).toBe(0);
});

test('the restart policy counts failed starts until one succeeds', () => {
  expect(lose(4, null)).toEqual({ inRow: 4, failedStarts: 4 });
  expect(lose(1, 1_000, lose(4, null))).toEqual({ inRow: 5, failedStarts: 0 });
});
