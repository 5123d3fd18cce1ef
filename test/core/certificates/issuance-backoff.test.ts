import { describe, expect, it, test } from 'vitest';
import { afterFailure, FAILURES_MAX } from '../../../shared/core/certificates/issuance-backoff.ts';
import {
  renewalDeadline,
  renewalMoment,
  renewalPollMs,
} from '../../../shared/core/certificates/renewal-time.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { T0 } from '../domains/sample-domain.ts';

const FAILED = { failed: true, until: null, since: T0 };

describe('after a failure', () => {
  it.each([
    [0, MINUTE_MS, false],
    [1, 10 * MINUTE_MS, false],
    [2, 100 * MINUTE_MS, true],
    [3, DAY_MS, true],
    [40, DAY_MS, true],
  ])('%i before it: the next attempt starts after %i ms, spent: %s', (before, wait_ms, spent) => {
    expect(afterFailure(before, FAILED, T0, 0.5)).toEqual({
      failures: before + 1,
      next_attempt_at: T0 + wait_ms,
      spent,
    });
  });

  it('is spread by a tenth to either side', () => {
    expect(afterFailure(1, FAILED, T0, 0).next_attempt_at).toBe(T0 + 9 * MINUTE_MS);
    expect(afterFailure(1, FAILED, T0, 1).next_attempt_at).toBe(T0 + 11 * MINUTE_MS);
  });
});

describe('a wait for room', () => {
  const room = (until: number, since = T0) => ({ failed: false, until, since });

  it('is no failure, and is kept to', () => {
    expect(afterFailure(0, room(T0 + HOUR_MS), T0, 0.5)).toEqual({
      failures: 0,
      next_attempt_at: T0 + HOUR_MS + 30_000,
      spent: false,
    });
  });

  it('is told where it is longer than all retries', () => {
    expect(afterFailure(0, room(T0 + 3 * HOUR_MS), T0, 0).spent).toBe(true);
  });

  it('is told at once where the retries were spent before', () => {
    expect(afterFailure(FAILURES_MAX, room(T0 + MINUTE_MS), T0, 0).spent).toBe(true);
  });

  it('that is over is waited for no longer', () => {
    expect(afterFailure(0, room(T0 - HOUR_MS), T0, 0).next_attempt_at).toBe(T0);
  });

  it.each([0, FAILURES_MAX])(
    'is looked at again after a day, however long it is, %i failures before',
    (failures) => {
      expect(afterFailure(failures, room(T0 + 7 * DAY_MS), T0, 1).next_attempt_at).toBe(T0 + DAY_MS);
    },
  );

  it.each([
    [MINUTE_MS, MINUTE_MS],
    [40 * MINUTE_MS, 5 * MINUTE_MS],
    [23 * HOUR_MS, 15 * MINUTE_MS],
  ])(
    'that began %i ms ago is spread over %i ms: who has waited for long asks less often',
    (ago_ms, spread_ms) => {
      expect(afterFailure(0, room(T0, T0 - ago_ms), T0, 1).next_attempt_at).toBe(T0 + spread_ms);
    },
  );

  it.each([0, FAILURES_MAX])(
    'that was a short one again and again for a day is told, and becomes the daily attempt, %i failures before',
    (failures) => {
      const again = room(T0 + MINUTE_MS, T0 - DAY_MS);
      expect(afterFailure(failures, again, T0, 0)).toEqual({
        failures,
        next_attempt_at: T0 + DAY_MS,
        spent: true,
      });
      expect(afterFailure(0, room(T0 + 5 * HOUR_MS, T0 - DAY_MS), T0, 0).next_attempt_at).toBe(
        T0 + 5 * HOUR_MS,
      );
    },
  );

  it('goes on where the visitors have a certificate', () => {
    const renewal = { failed: false, until: T0 + MINUTE_MS, since: null };
    expect(afterFailure(0, renewal, T0, 1)).toEqual({
      failures: 0,
      next_attempt_at: T0 + 16 * MINUTE_MS,
      spent: false,
    });
  });

  it('at one authority and a failure of another: what comes first decides, and a failure is counted for the ladder', () => {
    const both = (until: number) => ({ failed: true, until, since: T0 });
    expect(afterFailure(1, both(T0 + HOUR_MS), T0, 0.5)).toEqual(afterFailure(1, FAILED, T0, 0.5));
    expect(afterFailure(1, both(T0 + MINUTE_MS), T0, 0.5)).toEqual({
      failures: 1,
      next_attempt_at: T0 + 1.5 * MINUTE_MS,
      spent: false,
    });
  });
});

describe('a renewal', () => {
  it.each([
    [90 * DAY_MS, 10 * DAY_MS],
    [60 * DAY_MS, 10 * DAY_MS],
    [45 * DAY_MS, 7.5 * DAY_MS],
    [6 * DAY_MS, DAY_MS],
  ])('of a certificate of %i ms is retried in silence until %i ms before its end', (lifetime_ms, left_ms) => {
    const not_after = T0 + lifetime_ms;
    expect(renewalDeadline({ not_before: T0, not_after })).toBe(not_after - left_ms);
  });

  const certificate = { not_before: T0, not_after: T0 + 90 * DAY_MS };

  it('takes any moment of its window', () => {
    const window = { start: T0 + 60 * DAY_MS, end: T0 + 62 * DAY_MS };
    expect([0, 0.5, 1].map((random) => renewalMoment(window, certificate, random) - T0)).toEqual(
      [60, 61, 62].map((days) => days * DAY_MS),
    );
  });

  it('takes the start of a window that is upside down', () => {
    const window = { start: T0 + 60 * DAY_MS, end: T0 };
    expect(renewalMoment(window, certificate, 0.9)).toBe(T0 + 60 * DAY_MS);
  });

  it('comes no sooner than six hours after the issuance, and no later than 10 days before the end', () => {
    const past = { start: T0 - DAY_MS, end: T0 - DAY_MS };
    const late = { start: T0 + 89 * DAY_MS, end: T0 + 500 * DAY_MS };
    expect(renewalMoment(past, certificate, 0)).toBe(T0 + 6 * HOUR_MS);
    expect(renewalMoment(late, certificate, 1)).toBe(T0 + 80 * DAY_MS);
  });
});

test.each([
  [null, 12 * HOUR_MS],
  [6 * HOUR_MS, 6 * HOUR_MS],
  [1000, HOUR_MS],
  [400 * DAY_MS, DAY_MS],
])('a window is asked for again after %s: %i ms', (retry_after_ms, poll_ms) => {
  expect(renewalPollMs(retry_after_ms)).toBe(poll_ms);
});
