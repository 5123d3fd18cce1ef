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

describe('after a failed certificate order, the next attempt waits', () => {
  it.each([
    [0, MINUTE_MS, false],
    [1, 10 * MINUTE_MS, false],
    [2, 100 * MINUTE_MS, true],
    [3, DAY_MS, true],
    [40, DAY_MS, true],
  ])(
    'after %i earlier failures, the delay is %i ms, and the retries are used up: %s',
    (before, waitMs, spent) => {
      expect(afterFailure(before, FAILED, T0, 0.5)).toEqual({
        failures: before + 1,
        next_attempt_at: T0 + waitMs,
        spent,
      });
    },
  );

  it('the delay varies by up to a tenth', () => {
    expect(afterFailure(1, FAILED, T0, 0).next_attempt_at).toBe(T0 + 9 * MINUTE_MS);
    expect(afterFailure(1, FAILED, T0, 1).next_attempt_at).toBe(T0 + 11 * MINUTE_MS);
  });
});

describe('an order waits until the rate limit of an authority ends', () => {
  const room = (until: number, since = T0) => ({ failed: false, until, since });

  it('the wait is not a failure, and lasts until the limit allows an order', () => {
    expect(afterFailure(0, room(T0 + HOUR_MS), T0, 0.5)).toEqual({
      failures: 0,
      next_attempt_at: T0 + HOUR_MS + 30_000,
      spent: false,
    });
  });

  it('the wait is reported if it is longer than all retries together', () => {
    expect(afterFailure(0, room(T0 + 3 * HOUR_MS), T0, 0).spent).toBe(true);
  });

  it('the wait is reported immediately if the retries are already used up', () => {
    expect(afterFailure(FAILURES_MAX, room(T0 + MINUTE_MS), T0, 0).spent).toBe(true);
  });

  it('a rate limit that has ended causes no delay', () => {
    expect(afterFailure(0, room(T0 - HOUR_MS), T0, 0).next_attempt_at).toBe(T0);
  });

  it.each([0, FAILURES_MAX])(
    'the limit is checked again after a day at the latest, after %i failures',
    (failures) => {
      expect(afterFailure(failures, room(T0 + 7 * DAY_MS), T0, 1).next_attempt_at).toBe(T0 + DAY_MS);
    },
  );

  it.each([
    [MINUTE_MS, MINUTE_MS],
    [40 * MINUTE_MS, 5 * MINUTE_MS],
    [23 * HOUR_MS, 15 * MINUTE_MS],
  ])('a wait that began %i ms ago is extended by up to %i ms to reduce attempts', (agoMs, spreadMs) => {
    expect(afterFailure(0, room(T0, T0 - agoMs), T0, 1).next_attempt_at).toBe(T0 + spreadMs);
  });

  it.each([0, FAILURES_MAX])(
    'a day of short waits is reported, and then attempts become daily, after %i failures',
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

  it('the wait continues without a report while visitors have a certificate', () => {
    const renewal = { failed: false, until: T0 + MINUTE_MS, since: null };
    expect(afterFailure(0, renewal, T0, 1)).toEqual({
      failures: 0,
      next_attempt_at: T0 + 16 * MINUTE_MS,
      spent: false,
    });
  });

  it('the wait ends at the earlier of two times if another authority failed at the same time', () => {
    const both = (until: number) => ({ failed: true, until, since: T0 });
    expect(afterFailure(1, both(T0 + HOUR_MS), T0, 0.5)).toEqual(afterFailure(1, FAILED, T0, 0.5));
    expect(afterFailure(1, both(T0 + MINUTE_MS), T0, 0.5)).toEqual({
      failures: 1,
      next_attempt_at: T0 + 1.5 * MINUTE_MS,
      spent: false,
    });
  });
});

describe('a certificate is renewed before it expires', () => {
  it.each([
    [90 * DAY_MS, 10 * DAY_MS],
    [60 * DAY_MS, 10 * DAY_MS],
    [45 * DAY_MS, 7.5 * DAY_MS],
    [6 * DAY_MS, DAY_MS],
  ])(
    'with a lifetime of %i ms, failures are reported only from %i ms before the expiry',
    (lifetimeMs, leftMs) => {
      const notAfter = T0 + lifetimeMs;
      expect(renewalDeadline({ not_before: T0, not_after: notAfter })).toBe(notAfter - leftMs);
    },
  );

  const certificate = { not_before: T0, not_after: T0 + 90 * DAY_MS, created_at: T0 };

  it('the renewal happens at a random time in the window that the authority suggests', () => {
    const window = { start: T0 + 60 * DAY_MS, end: T0 + 62 * DAY_MS };
    expect([0, 0.5, 1].map((random) => renewalMoment(window, certificate, random) - T0)).toEqual(
      [60, 61, 62].map((days) => days * DAY_MS),
    );
  });

  it('the renewal happens at the start of the window if the window ends before it starts', () => {
    const window = { start: T0 + 60 * DAY_MS, end: T0 };
    expect(renewalMoment(window, certificate, 0.9)).toBe(T0 + 60 * DAY_MS);
  });

  it('the renewal happens at least six hours after issuance and at least 10 days before expiry', () => {
    const past = { start: T0 - DAY_MS, end: T0 - DAY_MS };
    const late = { start: T0 + 89 * DAY_MS, end: T0 + 500 * DAY_MS };
    expect(renewalMoment(past, certificate, 0)).toBe(T0 + 6 * HOUR_MS);
    expect(renewalMoment(late, certificate, 1)).toBe(T0 + 80 * DAY_MS);
  });

  it('a backdated certificate is renewed six hours after its arrival, or after a sixth of its remaining time', () => {
    const past = { start: T0 - DAY_MS, end: T0 - DAY_MS };
    const arrivesAt = (createdAt: number) =>
      renewalMoment(past, { ...certificate, created_at: createdAt }, 0);
    expect(arrivesAt(T0 + 85 * DAY_MS)).toBe(T0 + 85 * DAY_MS + 6 * HOUR_MS);
    expect(arrivesAt(T0 + 89 * DAY_MS)).toBe(T0 + 89 * DAY_MS + 4 * HOUR_MS);
    expect(arrivesAt(T0 + 90 * DAY_MS - HOUR_MS / 2)).toBe(T0 + 90 * DAY_MS - HOUR_MS / 3);
  });
});

test.each([
  [null, 12 * HOUR_MS],
  [6 * HOUR_MS, 6 * HOUR_MS],
  [1000, HOUR_MS],
  [400 * DAY_MS, DAY_MS],
])('with a Retry-After of %s, the renewal window is requested again after %i ms', (retryAfterMs, pollMs) => {
  expect(renewalPollMs(retryAfterMs)).toBe(pollMs);
});
