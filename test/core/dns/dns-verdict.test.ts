import { describe, expect, test } from 'vitest';
import { SECOND_LOOK_MS, verdict } from '../../../shared/core/dns/dns-verdict.ts';
import type { Status } from '../../../shared/core/domains/status.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';
import { reasonDetail } from '../../../shared/core/reasons.ts';
import { sampleDomain, T0 } from '../domains/sample-domain.ts';
import {
  APEX,
  FOREIGN_V4,
  type SaidSurvey,
  type SaidView,
  SUBDOMAIN,
  surveyOf,
  TARGET,
  V4,
  V6,
} from './survey-builder.ts';

const RIGHT: SaidView = { a: [`CNAME ${TARGET}`] };
const GONE: SaidView = { a: 'nxdomain' };
const ELSEWHERE: SaidView = { a: [`A ${FOREIGN_V4}`] };
const BLOCKED: SaidView = { a: 'blocked', txt: 'blocked' };
const UNKNOWN: SaidView = { a: 'timeout', txt: 'timeout' };
const WAITING = ['pending_dns', 'verifying'] as const;
const LIVE = ['active', 'cert_failed', 'issuing'] as const;

function check(status: Status, said: SaidSurvey, missedAt: number | null = null, now = T0) {
  const domain = sampleDomain({ mode: 'live', status, status_reason: 'ca_unavailable' });
  return verdict(domain, surveyOf(SUBDOMAIN, said), SUBDOMAIN, { missed_at: missedAt, now });
}

describe.each(WAITING)('a check of a waiting domain in %s decides its next status', (status) => {
  test('three resolvers with the right record confirm the domain, with the target of the record', () => {
    const { trigger } = check(status, { zone: [RIGHT], resolvers: [RIGHT, RIGHT, RIGHT] });
    expect(trigger).toEqual({ name: 'dns_confirmed', routed_through: TARGET });
  });

  test('the domain is not confirmed if one of three resolvers could not be asked', () => {
    const { trigger, reason } = check(status, { zone: [RIGHT], resolvers: [RIGHT, RIGHT, UNKNOWN] });
    expect(trigger?.name).not.toBe('dns_confirmed');
    expect(reason).toBe('dns_resolver_unavailable');
  });

  test('a spare resolver can replace one of the three resolvers', () => {
    const said = { zone: [RIGHT], resolvers: [RIGHT, RIGHT, RIGHT], replaced: [BLOCKED] };
    expect(check(status, said).trigger).toMatchObject({ name: 'dns_confirmed' });
  });

  test('if one of three resolvers blocks the name, the domain waits, and the reason names that resolver', () => {
    const { trigger, reason, detail } = check(status, { zone: [RIGHT], resolvers: [RIGHT, RIGHT, BLOCKED] });
    expect(trigger?.name).not.toBe('dns_confirmed');
    expect({ reason, found: detail?.found }).toEqual({
      reason: 'dns_resolver_blocks',
      found: '9.9.9.9 (Quad9)',
    });
  });

  test('the domain gets the reason of the most severe finding', () => {
    const { reason, detail, findings } = check(status, { zone: [GONE] });
    expect(reason).toBe('dns_record_missing');
    expect(findings.map(({ code }) => code)).toEqual(['dns_record_missing']);
    expect(detail).toEqual({
      ...reasonDetail('dns_record_missing', { type: 'CNAME', name: 'careers', expected: TARGET }),
      changes: findings[0]?.changes,
    });
  });

  describe('after 72 hours, the domain may expire', () => {
    const late = (said: SaidSurvey, lateMs = 0) => check(status, said, null, T0 + 72 * HOUR_MS + lateMs);

    test.each<[string, SaidSurvey]>([
      ['the zone says no', { zone: [GONE] }],
      ['the record is elsewhere', { zone: [ELSEWHERE], resolvers: [ELSEWHERE, ELSEWHERE, UNKNOWN] }],
      ['a resolver still says no', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, GONE] }],
    ])('the domain expires if %s', (_, said) => {
      expect(late(said, -1).trigger?.name).not.toBe('window_passed');
      expect(late(said).trigger).toEqual({ name: 'window_passed' });
      expect(late(said, 30 * DAY_MS).trigger).toEqual({ name: 'window_passed' });
    });

    test.each<[string, SaidSurvey]>([
      ['no server could be asked', { delegation: null, resolvers: [UNKNOWN, UNKNOWN, UNKNOWN] }],
      ['no server was asked', { delegation: null }],
      [
        'the zone is right and no resolver answers',
        { zone: [RIGHT], resolvers: [UNKNOWN, UNKNOWN, UNKNOWN] },
      ],
      [
        'the zone has other name servers than its parent says, and no resolver answers',
        {
          delegation: { own_servers: ['ns3.host.example'] },
          zone: [RIGHT],
          resolvers: [UNKNOWN, UNKNOWN, UNKNOWN],
        },
      ],
      ['two see it and the third blocks it', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, BLOCKED] }],
      ['two see it and the third cannot be asked', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, UNKNOWN] }],
    ])('the domain waits for another week if %s', (_, said) => {
      expect(late(said, 7 * DAY_MS - 1).trigger?.name).not.toBe('window_passed');
      expect(late(said, 7 * DAY_MS).trigger).toEqual({ name: 'window_passed' });
    });

    test('three resolvers can confirm the record however late', () => {
      const { trigger } = late({ zone: [RIGHT], resolvers: [RIGHT, RIGHT, RIGHT] }, 30 * DAY_MS);
      expect(trigger?.name).toBe('dns_confirmed');
    });
  });

  test('the check stores no time of a missing record', () => {
    expect(check(status, { resolvers: [GONE, GONE, GONE] }, T0)).toMatchObject({
      missed_at: null,
      recheckInMs: null,
    });
  });
});

describe('a record that only some resolvers return does not confirm a domain', () => {
  test.each([[[RIGHT, GONE, GONE]], [[RIGHT, RIGHT, UNKNOWN]], [[UNKNOWN, UNKNOWN, RIGHT]]])(
    'a domain in pending_dns gets the trigger dns_seen, and a domain in verifying gets none',
    (resolvers) => {
      const said = { zone: [RIGHT], resolvers };
      expect(check('pending_dns', said).trigger).toMatchObject({ name: 'dns_seen' });
      expect(check('verifying', said).trigger).toBeNull();
    },
  );

  test('the trigger has a reason', () => {
    const { trigger } = check('pending_dns', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, GONE] });
    expect(trigger).toMatchObject({ reason: 'dns_propagating' });
  });
});

describe('a domain in verifying returns to pending_dns if its record is missing', () => {
  test.each<[string, SaidSurvey, 'dns_unseen' | null]>([
    ['at all resolvers', { resolvers: [GONE, ELSEWHERE, GONE] }, 'dns_unseen'],
    ["of the zone's own servers", { zone: [GONE, UNKNOWN] }, 'dns_unseen'],
    ['because the domain is not registered', { delegation: { registered: false } }, 'dns_unseen'],
    ['at two resolvers, with the third unknown', { resolvers: [GONE, GONE, UNKNOWN] }, null],
    ['but no server could be asked', { zone: [UNKNOWN] }, null],
    ["at some of the zone's servers", { zone: [GONE, RIGHT] }, null],
  ])('the return depends on which servers lack the record: %s', (_, said, trigger) => {
    expect(check('verifying', said).trigger?.name ?? null).toBe(trigger);
    expect(check('pending_dns', said).trigger).toBeNull();
  });
});

describe.each(LIVE)('a live domain in %s breaks only if its record is missing twice', (status) => {
  const TWO_GONE = { zone: [GONE], resolvers: [GONE, ELSEWHERE, RIGHT] };

  test('is checked again 60 seconds after its record was first missing', () => {
    expect(check(status, TWO_GONE)).toMatchObject({
      trigger: null,
      missed_at: T0,
      recheckInMs: SECOND_LOOK_MS,
      reason: 'ca_unavailable',
    });
  });

  test('breaks if its record is missing a second time', () => {
    const { trigger, missed_at } = check(status, TWO_GONE, T0, T0 + SECOND_LOOK_MS);
    expect(trigger).toMatchObject({ name: 'dns_gone', reason: 'dns_record_missing' });
    expect(missed_at).toBeNull();
  });

  test('does not break if the second check comes too early', () => {
    expect(check(status, TWO_GONE, T0, T0 + 15_000)).toMatchObject({
      trigger: null,
      missed_at: T0,
      recheckInMs: SECOND_LOOK_MS - 15_000,
    });
  });

  test.each([
    ['one resolver that misses it', [GONE, RIGHT, RIGHT]],
    ['one that misses it and two that fail', [GONE, UNKNOWN, UNKNOWN]],
    ['three that fail', [UNKNOWN, UNKNOWN, UNKNOWN]],
    ['two that block it', [RIGHT, BLOCKED, BLOCKED]],
    ['one that misses it and two that block it', [GONE, BLOCKED, BLOCKED]],
  ])('does not treat its record as missing if the resolvers are %s', (_, resolvers) => {
    expect(check(status, { resolvers })).toMatchObject({
      trigger: null,
      missed_at: null,
      recheckInMs: null,
    });
  });

  test('forgets that its record was missing once the record is right again', () => {
    const said = { resolvers: [RIGHT, RIGHT, UNKNOWN] };
    expect(check(status, said, T0, T0 + SECOND_LOOK_MS)).toMatchObject({ trigger: null, missed_at: null });
  });

  test('remembers that its record was missing while checks get no response', () => {
    const said = { resolvers: [UNKNOWN, UNKNOWN, GONE] };
    expect(check(status, said, T0, T0 + SECOND_LOOK_MS)).toMatchObject({
      trigger: null,
      missed_at: T0,
      recheckInMs: SECOND_LOOK_MS,
    });
  });
});

test('an apex that has been confirmed once no longer needs its TXT record', () => {
  const domain = sampleDomain({ mode: 'live', hostname: 'acme.com', is_apex: true, status: 'active' });
  const expectation = { ...APEX, txtRequired: false };
  const flat = { a: [`A ${V4}`], aaaa: [`AAAA ${V6}`], txt: 'nxdomain' as const };
  const survey = surveyOf(expectation, { resolvers: [flat, flat, flat] });
  expect(verdict(domain, survey, expectation, { missed_at: T0, now: T0 + SECOND_LOOK_MS })).toMatchObject({
    trigger: null,
    missed_at: null,
    findings: [],
  });
});

describe('a domain in dns_broken recovers only with a right record', () => {
  const broken = (said: SaidSurvey, statusReason = 'dns_record_missing') => {
    const domain = sampleDomain({ mode: 'live', status: 'dns_broken', status_reason: statusReason });
    return verdict(domain, surveyOf(SUBDOMAIN, said), SUBDOMAIN, { missed_at: null, now: T0 });
  };

  test('is active again once all three resolvers confirm its record', () => {
    expect(broken({ resolvers: [RIGHT, RIGHT, RIGHT] }).trigger).toMatchObject({ name: 'dns_confirmed' });
    expect(broken({ resolvers: [RIGHT, RIGHT, GONE] }).trigger).toBeNull();
    expect(broken({ resolvers: [RIGHT, RIGHT, UNKNOWN] }).trigger).toBeNull();
    expect(broken({ resolvers: [RIGHT, RIGHT, BLOCKED] })).toMatchObject({
      trigger: null,
      reason: 'dns_resolver_blocks',
    });
    expect(broken({ resolvers: [RIGHT, RIGHT, RIGHT], replaced: [BLOCKED] }).trigger).toMatchObject({
      name: 'dns_confirmed',
    });
  });

  test('has the reason of the current fault, and keeps this reason while checks get no response', () => {
    expect(broken({ resolvers: [ELSEWHERE, ELSEWHERE, ELSEWHERE] }).reason).toBe('dns_record_mismatch');
    expect(broken({ resolvers: [UNKNOWN, UNKNOWN, UNKNOWN] }).reason).toBe('dns_record_missing');
    const delegation = { own_servers: ['ns3.host.example'] };
    const unanswered = { delegation, zone: [RIGHT], resolvers: [UNKNOWN, UNKNOWN, UNKNOWN] };
    expect(broken(unanswered).reason).toBe('dns_record_missing');
  });

  test('keeps reporting that another app has the hostname while its record points elsewhere', () => {
    const taken = 'hostname_routed_elsewhere';
    expect(broken({ resolvers: [ELSEWHERE, ELSEWHERE, ELSEWHERE] }, taken).reason).toBe(taken);
    expect(broken({ resolvers: [GONE, GONE, GONE] }, taken).reason).toBe('dns_record_missing');
  });
});

test.each<Status>(['held', 'expired', 'deleted'])(
  'a check changes nothing for a domain that is %s',
  (status) => {
    expect(check(status, { resolvers: [GONE, GONE, GONE] }, T0, T0 + SECOND_LOOK_MS)).toMatchObject({
      trigger: null,
      missed_at: null,
      reason: 'ca_unavailable',
      recheckInMs: null,
    });
  },
);
