import { expect, test } from 'vitest';
import { createResponsePace } from '../../shared/http/admission.ts';

const RULES = { burst: 3, perSecond: 10, delayMsMax: 1_000 };

test('the response pace lets responses go at once up to the burst, then one by one', () => {
  const delayOf = createResponsePace(RULES);
  const delays = Array.from({ length: 6 }, () => delayOf('a', 5_000));
  expect(delays).toEqual([0, 0, 0, 0, 100, 200]);
});

test('the response pace adds no delay for a client that waits for each response or pauses', () => {
  const delayOf = createResponsePace(RULES);
  for (let n = 0; n < 5; n++) delayOf('a', 0);
  expect(delayOf('a', 100)).toBe(100);
  expect(delayOf('a', 10_000)).toBe(0);
});

test('the response pace never delays a response beyond the longest delay', () => {
  const delayOf = createResponsePace(RULES);
  const delays = Array.from({ length: 10_000 }, () => delayOf('a', 0));
  expect(Math.max(...delays)).toBe(RULES.delayMsMax);
  expect(delayOf('a', RULES.delayMsMax + 300)).toBe(0);
});

test('the response pace delays each client separately', () => {
  const delayOf = createResponsePace(RULES);
  for (let n = 0; n < 100; n++) delayOf('a', 0);
  expect(delayOf('b', 0)).toBe(0);
});
