import { expect, it } from 'vitest';
import { createLogLimit } from '../../../shared/core/text/log-limit.ts';

const MINUTE_MS = 60_000;

it('the log limit allows a limited number of lines about one subject per minute', () => {
  const limit = createLogLimit({ eachPerMinuteMax: 2, perMinuteMax: 100 });
  expect([limit('a', 0), limit('a', 1), limit('a', 2), limit('a', MINUTE_MS - 1)]).toEqual([
    { left_out_in_all: 0 },
    { left_out_in_all: 0 },
    null,
    null,
  ]);
  expect(limit('a', MINUTE_MS)).toEqual({ left_out_in_all: 2 });
  expect(limit('a', MINUTE_MS + 1)).toEqual({ left_out_in_all: 0 });
});

it('the log limit counts lines about each subject separately', () => {
  const limit = createLogLimit({ eachPerMinuteMax: 1, perMinuteMax: 100 });
  limit('a', 0);
  expect(limit('a', 0)).toBeNull();
  expect(limit('b', 0)).toEqual({ left_out_in_all: 1 });
});

it('the log limit allows a limited number of lines in total, however many subjects there are', () => {
  const limit = createLogLimit({ eachPerMinuteMax: 1, perMinuteMax: 3 });
  const written = Array.from({ length: 1000 }, (_, thing) => limit(String(thing), thing)).filter(Boolean);
  expect(written).toHaveLength(3);
  expect(limit('another', MINUTE_MS)).toEqual({ left_out_in_all: 997 });
});
