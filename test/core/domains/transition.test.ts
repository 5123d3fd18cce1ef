import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testCertificate } from '../../../shared/core/certificates/certificate.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import {
  findTransition,
  possibleTriggers,
  type TransitionOutcome,
  type Trigger,
  transition,
} from '../../../shared/core/domains/transition.ts';
import { TRANSITIONS, TRIGGERS, type TriggerName } from '../../../shared/core/domains/transitions.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../../shared/core/instant.ts';
import { CERTIFICATE, sampleDomain, T0 } from './sample-domain.ts';

/** Creates a trigger, with a certificate if it needs one. */
function triggerOf(name: TriggerName, now: Instant): Trigger {
  const needs = name === 'certificate_issued' || name === 'certificate_renewed';
  return needs ? { name, certificate: testCertificate('Service Test CA', now) } : { name };
}

/** Applies a trigger and returns the outcome. Throws if the transition is not possible. */
function step(domain: Domain, trigger: TriggerName | Trigger, now: Instant): TransitionOutcome {
  const outcome = transition(domain, typeof trigger === 'string' ? triggerOf(trigger, now) : trigger, now);
  if (outcome === null) throw new Error(`no transition from ${domain.status}`);
  return outcome;
}

describe('a domain that gets random triggers stays consistent', () => {
  const moves = fc.array(
    fc.record({
      pick: fc.nat(999),
      waitMs: fc.oneof(fc.nat(20_000), fc.nat(100 * DAY_MS)),
      deletes: fc.nat(29).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 60 },
  );

  function walk(
    visit: (before: Domain, name: TriggerName, outcome: TransitionOutcome, now: Instant) => void,
  ) {
    fc.assert(
      fc.property(moves, (steps) => {
        let domain = sampleDomain();
        let now = T0;
        for (const { pick, waitMs, deletes } of steps) {
          now += waitMs;
          const possible = possibleTriggers(domain, now).filter((name) => name !== 'delete' || deletes);
          const name = possible[pick % possible.length];
          if (name === undefined) break;
          // Freezes the domain, because a transition must return a new domain and not change its argument.
          const before = Object.freeze(domain);
          const outcome = step(before, name, now);
          visit(before, name, outcome, now);
          domain = outcome.domain;
        }
      }),
      { numRuns: 300 },
    );
  }

  test('stores the status before a hold during the hold, and at no other time', () => {
    walk((before, _, { domain }) => {
      expect(domain.status_before_hold).toBe(domain.status === 'held' ? before.status : null);
    });
  });

  test('stores the time of each transition, even of a transition from active to active', () => {
    walk((before, _, { domain, previous_status }, now) => {
      expect([domain.status_since, domain.updated_at]).toEqual([now, now]);
      expect(previous_status).toBe(before.status);
    });
  });

  test('returns from a hold to the status before it, with a window extended by the length of the hold', () => {
    let waiting: Domain | null = null;
    walk((before, name, { domain }, now) => {
      if (name === 'hold') waiting = before;
      if (name === 'release') {
        expect(domain.status).toBe(waiting?.status);
        expect(domain.window_opened_at).toBe(before.window_opened_at + (now - before.status_since));
      } else {
        expect(domain.window_opened_at).toBe(name === 'recreate' ? now : before.window_opened_at);
      }
    });
  });

  test('keeps its certificate until another certificate is stored or the domain is deleted', () => {
    walk((before, name, { domain }, now) => {
      if (name === 'certificate_issued' || name === 'certificate_renewed') {
        expect(domain.certificate?.not_before).toBe(now);
      } else {
        expect(domain.certificate).toBe(name === 'delete' ? null : before.certificate);
      }
    });
  });

  test('emits the event that the row of the transition table names', () => {
    walk((before, name, { domain, emits, effects }) => {
      const rows = TRANSITIONS.filter((row) => row.on === name && row.from.includes(before.status));
      const target = name === 'release' ? 'previous' : domain.status;
      const row = rows.find(({ to }) => to === target);
      expect(row?.emits).toBe(emits);
      expect(row?.effects ?? []).toEqual(effects);
    });
  });

  test('records a check only if its DNS was looked up', () => {
    walk((before, name, { domain }, now) => {
      const looked = name.startsWith('dns_') || name === 'window_passed';
      expect(domain.last_checked_at).toBe(looked ? now : before.last_checked_at);
    });
  });

  test('gets no further transition after its deletion', () => {
    walk((_, name, { domain }, now) => {
      expect(domain.status === 'deleted').toBe(name === 'delete');
      expect(possibleTriggers(domain, now).length === 0).toBe(name === 'delete');
      if (name === 'delete') expect([domain.certificate, domain.routed_through]).toEqual([null, null]);
    });
  });

  test('has no status reason if nothing is wrong', () => {
    walk((_, __, { domain }) => {
      if (!['active', 'issuing', 'deleted'].includes(domain.status)) return;
      expect([domain.status_reason, domain.status_detail]).toEqual([null, null]);
    });
  });

  test("keeps its identity and the customer's fields", () => {
    const kept = ({ id, app_id, mode, hostname, connect_token, txt_value, created_at, ...rest }: Domain) => {
      const { metadata, origin, origin_headers, apex_redirect, event_seq, last_event_at } = rest;
      const own = { metadata, origin, origin_headers, apex_redirect, event_seq, last_event_at };
      return { id, app_id, mode, hostname, connect_token, txt_value, created_at, ...own };
    };
    walk((before, _, { domain }) => expect(kept(domain)).toEqual(kept(before)));
  });
});

test('a trigger that the table does not list for a status changes nothing', () => {
  for (const status of STATUSES) {
    for (const certificate of [null, CERTIFICATE]) {
      const domain = Object.freeze(sampleDomain({ status, certificate }));
      const possible = possibleTriggers(domain, T0);
      expect(new Set(possible).size).toBe(possible.length);
      for (const name of TRIGGERS) {
        expect(transition(domain, triggerOf(name, T0), T0) !== null, `${status} ${name}`).toBe(
          possible.includes(name),
        );
      }
    }
  }
});

describe('a hold on a domain ends with the earlier state', () => {
  const releasedAt = T0 + 5 * HOUR_MS;

  test.each(STATUSES.filter((status) => status !== 'held' && status !== 'deleted'))(
    'the release of a domain that was in %s restores this status',
    (status) => {
      const domain = sampleDomain({ status, certificate: CERTIFICATE, status_since: T0 - DAY_MS });
      const held = step(domain, 'hold', T0);
      expect(held.domain).toMatchObject({ status: 'held', status_before_hold: status });
      expect(held.domain).toMatchObject({ status_reason: 'hostname_held', window_opened_at: T0 });
      expect(held.domain.status_detail?.hint).not.toBe('');
      const released = step(held.domain, 'release', releasedAt);
      expect(released.domain).toMatchObject({ status, status_before_hold: null, certificate: CERTIFICATE });
      expect(released.domain.window_opened_at).toBe(T0 + 5 * HOUR_MS);
      expect(released).toMatchObject({ emits: 'domain.released', previous_status: 'held' });
      expect(released.effects).toContain('check_at_once');
    },
  );

  test('the release restores the status reason from before the hold', () => {
    const failed = sampleDomain({ status: 'cert_failed', status_reason: 'caa_forbids' });
    const held = step(failed, 'hold', T0).domain;
    expect(held.status_reason).toBe('hostname_held');
    expect(step(held, 'release', releasedAt).domain).toMatchObject({
      status_reason: 'caa_forbids',
      reason_before_hold: null,
    });
  });

  test('a deletion during a hold leaves no status to restore', () => {
    const held = step(sampleDomain({ status: 'active' }), 'hold', T0).domain;
    expect(step(held, 'delete', releasedAt).domain).toMatchObject({
      status: 'deleted',
      status_before_hold: null,
    });
  });
});

describe('a DNS record that broke can be repaired', () => {
  const broken = step(sampleDomain({ status: 'active', certificate: CERTIFICATE }), 'dns_gone', T0).domain;

  test('the domain keeps its certificate, so that a repair makes it active again immediately', () => {
    expect(broken.certificate).toBe(CERTIFICATE);
    expect(step(broken, 'dns_confirmed', CERTIFICATE.not_after - 1)).toMatchObject({
      domain: { status: 'active', certificate: CERTIFICATE },
      emits: 'domain.active',
    });
  });

  test('a repair requires a new certificate if the old one has expired in the meantime', () => {
    expect(step(broken, 'dns_confirmed', CERTIFICATE.not_after)).toMatchObject({
      domain: { status: 'issuing' },
      emits: 'domain.verified',
    });
  });
});

test('a certificate is expired exactly at its not_after', () => {
  const active = sampleDomain({ status: 'active', certificate: CERTIFICATE });
  expect(findTransition(active, 'certificate_lapsed', CERTIFICATE.not_after - 1)).toBeNull();
  expect(step(active, 'certificate_lapsed', CERTIFICATE.not_after)).toMatchObject({
    domain: { status: 'issuing' },
    emits: null,
  });
});

test('the transition throws if its trigger lacks the certificate to store', () => {
  expect(() => transition(sampleDomain({ status: 'issuing' }), { name: 'certificate_issued' }, T0)).toThrow(
    TypeError,
  );
});

test('a confirmed record sets the target that the domain is routed through, until the domain is deleted', () => {
  const confirmed = step(sampleDomain(), { name: 'dns_confirmed', routed_through: 'a.edge.test' }, T0).domain;
  expect(confirmed.routed_through).toBe('a.edge.test');
  expect(step(confirmed, 'hold', T0).domain.routed_through).toBe('a.edge.test');
  expect(step(confirmed, 'delete', T0).domain.routed_through).toBeNull();
});

describe('the status reason of a domain explains its status', () => {
  const detail = { expected: 'our edge', found: 'their edge', hint: 'Point it to us.' };

  test("is the trigger's reason, with its detail", () => {
    const trigger = { name: 'dns_gone', reason: 'dns_record_mismatch', detail } as const;
    expect(step(sampleDomain({ status: 'active' }), trigger, T0).domain).toMatchObject({
      status_reason: 'dns_record_mismatch',
      status_detail: detail,
    });
  });

  test("has the detail of the reasons' catalog if the trigger gives none", () => {
    const expired = step(sampleDomain(), 'window_passed', T0 + 3 * DAY_MS).domain;
    expect(expired.status_reason).toBe('window_expired');
    expect(expired.status_detail).toEqual({
      expected: expect.any(String),
      found: null,
      hint: expect.any(String),
    });
  });

  test('may be unknown to this version, and then has no detail', () => {
    const trigger = { name: 'issuance_failed', reason: 'ca_of_tomorrow' } as const;
    expect(step(sampleDomain({ status: 'issuing' }), trigger, T0).domain).toMatchObject({
      status_reason: 'ca_of_tomorrow',
      status_detail: null,
    });
  });

  test('is removed with the status that it explained', () => {
    const failed = sampleDomain({
      status: 'cert_failed',
      status_reason: 'caa_forbids',
      status_detail: detail,
    });
    expect(step(failed, 'retry_issuance', T0).domain).toMatchObject({
      status_reason: null,
      status_detail: null,
    });
  });
});

test('an expired hostname that is added again is the same domain with new 72 hours', () => {
  const expired = sampleDomain({ status: 'expired', status_reason: 'window_expired' });
  const now = T0 + 10 * DAY_MS;
  const { domain, emits } = step(expired, 'recreate', now);
  expect(emits).toBeNull();
  expect(domain).toEqual({
    ...expired,
    status: 'pending_dns',
    status_reason: null,
    status_since: now,
    updated_at: now,
    window_opened_at: now,
  });
});
