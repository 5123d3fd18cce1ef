import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scheduledChecks } from '../../../shared/core/domains/cadence.ts';
import { STATUSES, type Status } from '../../../shared/core/domains/status.ts';
import { T0 } from './sample-domain.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Lists the checks of the first four days, as the documentation describes them. */
function enumerate(everyAt: (elapsed: number) => number): number[] {
  const checks: number[] = [];
  for (let at = everyAt(0); at <= 96 * HOUR; at += everyAt(at)) checks.push(at);
  return checks;
}

const awaiting = enumerate((elapsed) => {
  if (elapsed < 5 * MINUTE) return 10 * SECOND;
  if (elapsed < HOUR) return MINUTE;
  return elapsed < 24 * HOUR ? 5 * MINUTE : 30 * MINUTE;
});
const CHECKS: Record<Status, { since: 'window_opened_at' | 'status_since'; checks: number[] }> = {
  pending_dns: { since: 'window_opened_at', checks: awaiting },
  verifying: { since: 'window_opened_at', checks: awaiting },
  active: { since: 'status_since', checks: enumerate(() => HOUR) },
  dns_broken: {
    since: 'status_since',
    checks: enumerate((elapsed) => (elapsed < HOUR ? MINUTE : 30 * MINUTE)),
  },
  issuing: { since: 'status_since', checks: enumerate(() => HOUR) },
  cert_failed: { since: 'status_since', checks: enumerate(() => HOUR) },
  expired: { since: 'status_since', checks: [] },
  held: { since: 'status_since', checks: [] },
  deleted: { since: 'status_since', checks: [] },
};

describe.each(STATUSES)('the DNS of a live domain in %s is checked on a schedule', (status) => {
  const { since, checks } = CHECKS[status];

  function expectChecks(elapsed: number, other: number): void {
    const now = T0 + elapsed;
    const domain = { status, status_since: T0 + other, window_opened_at: T0 + other, [since]: T0 };
    const last = checks.findLast((at) => at <= elapsed);
    const next = checks.find((at) => at > elapsed);
    expect(scheduledChecks(domain, now), `after ${elapsed} ms`).toEqual({
      last: last === undefined ? null : T0 + last,
      next: next === undefined ? null : T0 + next,
    });
  }

  test('the checks come at the listed times, and not a millisecond before or after', () => {
    for (const at of [0, ...checks.slice(0, -1)]) {
      for (const elapsed of [at - 1, at, at + 1]) if (elapsed >= 0) expectChecks(elapsed, -HOUR);
    }
  });

  test('the checks come at the listed times, whatever values the other fields of the domain have', () => {
    fc.assert(fc.property(fc.nat(95 * HOUR), fc.integer({ min: -100 * HOUR, max: 95 * HOUR }), expectChecks));
  });

  test('the first check is in the future if the clock is behind the time of the status', () => {
    const domain = { status, status_since: T0, window_opened_at: T0 };
    expect(scheduledChecks(domain, T0 - 5)).toEqual({
      last: null,
      next: checks[0] === undefined ? null : T0 + checks[0],
    });
  });
});

test('the last check of a pending domain comes at the end of the 72 hours', () => {
  const domain = { status: 'pending_dns', status_since: T0, window_opened_at: T0 } as const;
  expect(scheduledChecks(domain, T0 + 72 * HOUR - 1)).toEqual({
    last: T0 + 71.5 * HOUR,
    next: T0 + 72 * HOUR,
  });
});
