import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { JOB_KINDS_THAT_WAKE } from '../../../shared/core/domains/job.ts';
import {
  DOMAIN_JOB_KINDS,
  runsOnTimer,
  scheduleOf,
  shownChecks,
  windowEndsAt,
} from '../../../shared/core/domains/schedule.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { FORCED_OUTCOMES } from '../../../shared/core/domains/test-mode.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { Course, HOSTED } from '../certificates/course.ts';
import { CERTIFICATE, sampleDomain, T0 } from './sample-domain.ts';

const failing = FORCED_OUTCOMES.filter(({ steps }) => steps.issuing?.trigger === 'issuance_failed');
const CA_LABELS = failing.map(({ label }) => label);

const onTimer = (label: string, lateMs?: number) => new Course({ hostname: `${label}.acme.com` }, lateMs);
const seconds = (n: number) => T0 + n * SECOND_MS;
const days = (n: number) => T0 + n * DAY_MS;

describe('a live domain whose record is never added expires', () => {
  const course = new Course({ mode: 'live' }).until(days(10));

  test('the checks follow their schedule for 72 hours, and the domain expires at the last check', () => {
    const minutes = course.ran.map(({ kind, due_at }) => `${kind} ${(due_at - T0) / MINUTE_MS}`);
    const every = (from: number, to: number, step: number) =>
      Array.from({ length: Math.round((to - from) / step) }, (_, i) => from + (i + 1) * step);
    const checks = [...every(0, 30, 1).map((n) => n / 6), ...every(5, 60, 1), ...every(60, 1440, 5)];
    checks.push(...every(1440, 4320, 30));
    expect(checks).toHaveLength(30 + 55 + 276 + 96);
    expect(minutes).toEqual(checks.map((at) => `check_dns ${at}`));
  });

  test('the expiry emits no event and leaves no jobs', () => {
    expect(course.statuses).toEqual(['pending_dns 0', 'expired 259200']);
    expect(course.domain.status_reason).toBe('window_expired');
    expect(course.events).toEqual([]);
    expect(course.owed).toEqual([]);
  });
});

test('a test domain whose record is never added has an expire job and no checks', () => {
  const course = onTimer('dns-record-missing');
  expect(course.owed).toEqual([{ kind: 'expire', due_at: T0 + 72 * HOUR_MS }]);
  expect(course.until(days(10)).statuses).toEqual(['pending_dns 0', 'expired 259200']);
  expect(course.ran).toHaveLength(1);
});

describe('the timer of test domains causes each forced outcome', () => {
  test('a domain without a forced outcome is active after three steps and ten seconds, with two events', () => {
    const course = onTimer('careers').until(seconds(60));
    expect(course.statuses).toEqual(['pending_dns 0', 'verifying 3', 'issuing 6', 'active 10']);
    expect(course.events).toEqual(['domain.verified', 'domain.active']);
    expect(course.ran.map(({ kind }) => kind)).toEqual(['advance', 'advance', 'advance']);
    expect(course.domain.certificate?.issuer).toBe('Service Test CA');
  });

  test('the timer also runs live domains if the setting timerForLive is true', () => {
    const live = sampleDomain({ mode: 'live' });
    expect(runsOnTimer(live, { timerForLive: true })).toBe(true);
    expect(runsOnTimer(live, HOSTED)).toBe(false);
    expect(runsOnTimer(sampleDomain(), HOSTED)).toBe(true);
    const kinds = scheduleOf(live, { timerForLive: true, challengeZone: null }, T0).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['advance', 'expire']);
  });

  test('the test domain "dns-broken" breaks ten seconds after it is active, and is never repaired', () => {
    const course = onTimer('dns-broken').until(days(30));
    expect(course.statuses.slice(-2)).toEqual(['active 10', 'dns_broken 20']);
    expect(course.domain.status_reason).toBe('dns_record_missing');
    expect(course.owed).toEqual([]);
  });

  test.each([0, 50, 500])(
    'the test domain "dns-flapping" flaps ten times, even if each step is %i ms late',
    (lateMs) => {
      const course = onTimer('dns-flapping', lateMs).until(days(30));
      const flaps = course.statuses.slice(4);
      expect(flaps.map((each) => each.split(' ')[0])).toEqual(
        Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'dns_broken' : 'active')),
      );
      if (lateMs === 0) {
        expect(flaps.map((each) => Number(each.split(' ')[1]))).toEqual([
          20, 30, 40, 50, 60, 70, 80, 90, 100, 110,
        ]);
      }
      expect(course.owed.map(({ kind }) => kind)).toEqual(['renew']);
    },
  );

  test.each([0, 50, 500])(
    'the test domain "held" is put on hold only once, even if each step is %i ms late',
    (lateMs) => {
      const course = onTimer('held', lateMs).until(seconds(90));
      expect(course.domain).toMatchObject({ status: 'held', status_before_hold: 'issuing' });
      expect(course.owed).toEqual([]);
      if (lateMs === 0) expect(course.statuses.at(-1)).toBe('held 10');
      course.apply({ name: 'release' }).until(seconds(600));
      expect(course.statuses.map((each) => each.split(' ')[0])).toEqual(
        'pending_dns verifying issuing held issuing active'.split(' '),
      );
      expect(course.events.filter((type) => type === 'domain.held')).toHaveLength(1);
    },
  );

  test.each(CA_LABELS)(
    'the test domain "%s" fails after ten seconds and after each retry, and no retry starts by itself',
    (label) => {
      const course = onTimer(label).until(days(30));
      expect(course.statuses).toEqual(['pending_dns 0', 'verifying 3', 'issuing 6', 'cert_failed 10']);
      expect(course.domain.status_reason).toBe(label.replaceAll('-', '_'));
      expect(course.events).toEqual(['domain.verified', 'domain.cert_failed']);
      expect(course.owed).toEqual([]);
      course.apply({ name: 'retry_issuance' }).until(days(31));
      expect(course.domain).toMatchObject({ status: 'cert_failed', certificate: null });
    },
  );

  test('hostname labels can force the reasons caa_forbids and ca_rate_limited', () =>
    expect(CA_LABELS).toEqual(expect.arrayContaining(['caa-forbids', 'ca-rate-limited'])));

  test('a failed certificate is retried after a day', () => {
    const course = onTimer('careers').until(seconds(6)).apply({ name: 'issuance_failed' });
    expect(course.owed).toEqual([{ kind: 'retry', due_at: seconds(6) + DAY_MS }]);
    expect(course.until(days(2)).domain.status).toBe('active');
  });
});

test.each([
  ['careers', 'active 10'],
  ['dns-broken', 'dns_broken 20'],
  ['dns-flapping', 'active 10'],
  ['held', 'held 10'],
  ['caa-forbids', 'cert_failed 10'],
  ['dns-proxied', 'pending_dns 0'],
])('an advance until idle takes the test domain "%s" to "%s" (status and second)', (label, status) => {
  const course = onTimer(label);
  const wakes = () => course.owed.filter(({ kind }) => JOB_KINDS_THAT_WAKE.includes(kind));
  for (let due = wakes()[0]; due !== undefined; due = wakes()[0]) {
    expect(course.statuses.length).toBeLessThan(20);
    course.until(due.due_at);
  }
  expect(course.statuses.at(-1)).toBe(status);
});

describe("a test domain's certificate is renewed in time", () => {
  test('the renewal happens on day 60 of 90, and the next one 60 days later', () => {
    const course = onTimer('careers').until(days(125));
    const renewals = course.ran.filter(({ kind }) => kind === 'renew').map(({ due_at }) => due_at);
    expect(renewals).toEqual([seconds(10) + 60 * DAY_MS, seconds(10) + 120 * DAY_MS]);
    expect(course.events.slice(2)).toEqual(['domain.certificate_renewed', 'domain.certificate_renewed']);
    expect(course.domain.status).toBe('active');
  });

  test('the renewal waits while the record is broken, and happens immediately after a repair', () => {
    const course = onTimer('careers').until(days(59)).apply({ name: 'dns_gone' });
    expect(course.owed).toEqual([]);
    course.until(days(70)).apply({ name: 'dns_confirmed' }).until(days(70));
    expect(course.statuses.slice(-2)).toEqual([70, 70].map((day) => `active ${(day * DAY_MS) / SECOND_MS}`));
    expect(course.events.at(-1)).toBe('domain.certificate_renewed');
  });

  test('a new certificate is issued after a long hold during which the old one expired', () => {
    const course = onTimer('careers').until(days(1)).apply({ name: 'hold' });
    expect(course.until(days(100)).owed).toEqual([]);
    course.apply({ name: 'release' }).until(days(101));
    const names = course.statuses.slice(4).map((each) => each.split(' ')[0]);
    expect(names).toEqual(['held', 'active', 'issuing', 'active']);
    expect(course.domain.certificate?.not_before).toBe(days(100) + 4 * SECOND_MS);
  });
});

describe('the 72 hours of a pending domain can be extended', () => {
  test.each(['live', 'test'] as const)(
    'a hold extends the 72 hours of a %s domain by the length of the hold',
    (mode) => {
      const course = new Course({ mode, hostname: 'dns-record-missing.acme.com' });
      course.until(T0 + 70 * HOUR_MS).apply({ name: 'hold' });
      expect(course.owed).toEqual([]);
      course.until(T0 + 500 * HOUR_MS).apply({ name: 'release' });
      expect(windowEndsAt(course.domain)).toBe(T0 + 502 * HOUR_MS);
      expect(course.until(T0 + 502 * HOUR_MS - 1).domain.status).toBe('pending_dns');
      expect(course.until(T0 + 502 * HOUR_MS).domain.status).toBe('expired');
    },
  );

  test('an expired hostname that is added again gets new 72 hours', () => {
    const course = onTimer('dns-record-missing').until(days(5)).apply({ name: 'recreate' });
    expect(course.owed).toEqual([{ kind: 'expire', due_at: days(8) }]);
  });
});

describe('the release of a held domain makes its DNS check due immediately', () => {
  test.each(['pending_dns', 'verifying', 'active', 'issuing', 'cert_failed', 'dns_broken'] as const)(
    'the check is due if the status before the hold was %s',
    (status) => {
      const course = new Course({ mode: 'live', status, certificate: CERTIFICATE }).apply({ name: 'hold' });
      course.until(T0 + HOUR_MS).apply({ name: 'release' });
      expect(course.owed).toContainEqual({ kind: 'check_dns', due_at: T0 + HOUR_MS });
    },
  );

  test('no check is due if the status before the hold was "expired"', () => {
    const course = new Course({ mode: 'live', status: 'expired' }).apply({ name: 'hold' });
    course.until(T0 + HOUR_MS).apply({ name: 'release' });
    expect(course.owed.map(({ kind }) => kind)).not.toContain('check_dns');
  });
});

describe('the certificate job of a live domain depends on its status', () => {
  const owed = (change: Partial<Domain>) =>
    scheduleOf(sampleDomain({ mode: 'live', certificate: CERTIFICATE, ...change }), HOSTED, T0).filter(
      ({ kind }) => kind !== 'check_dns',
    );

  test('the job is due immediately in issuing', () => {
    expect(owed({ status: 'issuing' })).toEqual([{ kind: 'issue', due_at: T0 }]);
  });

  test('the job is due twice a day in active, or earlier for a renewal', () => {
    expect(owed({ status: 'active' })).toEqual([{ kind: 'renew', due_at: T0 + 12 * HOUR_MS }]);
    const certificate = { ...CERTIFICATE, renews_at: T0 + 5 };
    expect(owed({ status: 'active', certificate })).toEqual([{ kind: 'renew', due_at: T0 + 5 }]);
  });

  test('the job is due every hour if www may be added to the certificate', () => {
    const apex = { status: 'active', is_apex: true, apex_redirect: 'www' } as const;
    expect(owed(apex)).toEqual([{ kind: 'renew', due_at: T0 + HOUR_MS }]);
  });

  test('the job is due a day after a failure', () => {
    expect(owed({ status: 'cert_failed', status_since: T0 })).toEqual([
      { kind: 'retry', due_at: T0 + DAY_MS },
    ]);
  });

  test.each(['pending_dns', 'verifying', 'dns_broken', 'held', 'expired'] as const)(
    'no certificate job exists in %s',
    (status) => {
      const kinds = owed({ status }).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'expire')).toEqual([]);
    },
  );
});

test('a domain has at most one job of each kind, and each transition replaces all of them', () => {
  for (const mode of ['live', 'test'] as const) {
    for (const label of ['careers', ...FORCED_OUTCOMES.map((each) => each.label)]) {
      for (const status of STATUSES) {
        const domain = sampleDomain({
          mode,
          status,
          certificate: CERTIFICATE,
          hostname: `${label}.acme.com`,
        });
        const kinds = scheduleOf(domain, HOSTED, T0 + SECOND_MS).map(({ kind }) => kind);
        expect(new Set(kinds).size).toBe(kinds.length);
        for (const kind of kinds) expect(DOMAIN_JOB_KINDS).toContain(kind);
        if (['expired', 'held', 'deleted'].includes(status)) expect(kinds).toEqual([]);
      }
    }
  }
});

describe('the API shows when a domain is checked', () => {
  test('the times of a live domain are the real times', () => {
    const checked = sampleDomain({ mode: 'live', last_checked_at: 1, next_check_at: 2 });
    expect(shownChecks(checked, HOSTED, T0 + DAY_MS)).toMatchObject({ last_checked_at: 1, next_check_at: 2 });
  });

  test('the times of a domain on the test timer are computed: its next step appears as its next check', () => {
    const { domain } = onTimer('careers');
    expect(shownChecks(domain, HOSTED, T0)).toEqual({ last_checked_at: null, next_check_at: seconds(3) });
    const missing = onTimer('dns-record-missing').domain;
    expect(shownChecks(missing, HOSTED, seconds(10))).toEqual({
      last_checked_at: seconds(10),
      next_check_at: seconds(20),
    });
    const active = onTimer('careers').until(seconds(10)).domain;
    expect(shownChecks(active, HOSTED, seconds(10) + DAY_MS)).toEqual({
      last_checked_at: seconds(10) + DAY_MS,
      next_check_at: seconds(10) + DAY_MS + HOUR_MS,
    });
  });

  test('the next check is never in the past', () => {
    const { domain } = onTimer('careers');
    expect(shownChecks(domain, HOSTED, seconds(4)).next_check_at).toBe(seconds(10));
  });

  test('a status without checks has no next check, but still the last check', () => {
    const held = sampleDomain({ status: 'held', last_checked_at: seconds(6) });
    expect(shownChecks(held, HOSTED, days(1))).toEqual({ last_checked_at: seconds(6), next_check_at: null });
    const expired = sampleDomain({ status: 'expired', last_checked_at: null });
    expect(shownChecks(expired, HOSTED, days(1))).toEqual({ last_checked_at: null, next_check_at: null });
  });
});
