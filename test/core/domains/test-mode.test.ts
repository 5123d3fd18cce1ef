import { describe, expect, test } from 'vitest';
import type { Status } from '../../../shared/core/domains/status.ts';
import {
  DEFAULT_OUTCOME,
  FORCED_OUTCOMES,
  nextTimerStep,
  testOutcome,
} from '../../../shared/core/domains/test-mode.ts';
import { ERRORS } from '../../../shared/core/errors.ts';
import type { Instant } from '../../../shared/core/instant.ts';
import { REASON_CODES, REASONS } from '../../../shared/core/reasons.ts';

const AFTER: Record<string, Status> = {
  dns_seen: 'verifying',
  dns_confirmed: 'issuing',
  certificate_issued: 'active',
  issuance_failed: 'cert_failed',
  dns_gone: 'dns_broken',
  hold: 'held',
};

/**
 * Returns the statuses of a domain as the timer changes it, each with its time in seconds. Ends when no step is due, or after `steps`
 * steps.
 */
function course(
  hostname: string,
  steps = 20,
  from: Status = 'pending_dns',
  at = 0,
  windowOpenedAt = 0,
): string[] {
  const outcome = testOutcome(hostname);
  const seen: string[] = [];
  let status = from;
  let statusSince: Instant = at;
  for (let i = 0; i < steps; i++) {
    seen.push(`${status} ${statusSince / 1000}`);
    const next = nextTimerStep(outcome, {
      status,
      status_since: statusSince,
      window_opened_at: windowOpenedAt,
    });
    if (next === null || next.due_at === null) break;
    // A domain that was live before becomes active as soon as its record is confirmed, because its certificate is still valid.
    const repaired = status === 'dns_broken' && next.step.trigger === 'dns_confirmed';
    status = repaired ? 'active' : (AFTER[next.step.trigger] ?? 'deleted');
    statusSince = next.due_at;
  }
  return seen;
}

const TEN_SECONDS = ['pending_dns 0', 'verifying 3', 'issuing 6', 'active 10'];

test('a test domain is active after ten seconds', () => {
  expect(course('careers.acme.com')).toEqual(TEN_SECONDS);
  expect(testOutcome('careers.acme.com')).toBe(DEFAULT_OUTCOME);
});

test('only the whole first label of a hostname can force an outcome of test mode', () => {
  for (const hostname of [
    'careers.dns-broken.com',
    'dns-broken-2.acme.com',
    'constructor.acme.com',
    'tostring.acme.com',
  ]) {
    expect(testOutcome(hostname)).toBe(DEFAULT_OUTCOME);
  }
  expect(testOutcome('dns-broken.com').label).toBe('dns-broken');
});

test('a broken test domain recovers at a requested check, and a test domain in cert_failed a day after its failure', () => {
  const outcome = testOutcome('careers.acme.com');
  const since = { status_since: 1000, window_opened_at: 0 };
  expect(nextTimerStep(outcome, { ...since, status: 'dns_broken' })).toMatchObject({
    due_at: null,
    step: { trigger: 'dns_confirmed' },
  });
  expect(nextTimerStep(outcome, { ...since, status: 'cert_failed' })).toMatchObject({
    due_at: 86_401_000,
    step: { trigger: 'certificate_issued' },
  });
  expect(nextTimerStep(outcome, { ...since, status: 'active' })).toBeNull();
  expect(nextTimerStep(outcome, { ...since, status: 'held' })).toBeNull();
});

test('the test domain dns-broken becomes active, then dns_broken ten seconds later, and no check repairs it', () => {
  expect(course('dns-broken.acme.com')).toEqual([...TEN_SECONDS, 'dns_broken 20']);
  expect(testOutcome('dns-broken.acme.com').steps.dns_broken).toBeUndefined();
  expect(testOutcome('dns-broken.acme.com').steps.active?.reason).toBe('dns_record_missing');
});

test('the test domain dns-flapping breaks and recovers ten times, every ten seconds', () => {
  const flaps = Array.from(
    { length: 10 },
    (_, i) => `${i % 2 === 0 ? 'dns_broken' : 'active'} ${20 + 10 * i}`,
  );
  expect(course('dns-flapping.acme.com', 40)).toEqual([...TEN_SECONDS, ...flaps]);
});

test('the test domain held is put on hold ten seconds after its creation, and becomes active after its release', () => {
  expect(course('held.acme.com')).toEqual(['pending_dns 0', 'verifying 3', 'issuing 6', 'held 10']);
  // The hold ends after 90 seconds. The domain is `issuing` again, and its 72-hour window starts later by the length of the hold.
  expect(course('held.acme.com', 20, 'issuing', 100_000, 90_000)).toEqual(['issuing 100', 'active 104']);
  expect(course('held.acme.com', 20, 'issuing', 10_000, 0)).toEqual(['issuing 10', 'active 14']);
});

describe.each(REASON_CODES)('the status reason %s has a test label if a test can force it', (code) => {
  const hostname = `${code.replaceAll('_', '-')}.acme.com`;
  const outcome = testOutcome(hostname);

  test('a test label forces the reason only if it is about DNS or a certificate', () => {
    const { group } = REASONS[code];
    if (group === 'dns') {
      expect(outcome.reason).toBe(code);
      expect(course(hostname)).toEqual(['pending_dns 0']);
    } else if (group === 'ca') {
      expect(course(hostname)).toEqual(['pending_dns 0', 'verifying 3', 'issuing 6', 'cert_failed 10']);
      expect(outcome.steps.issuing?.reason).toBe(code);
    } else {
      expect(outcome.reason).toBeUndefined();
    }
  });
});

test.each([
  ['hostname-held', 'hostname_held'],
  ['limit-reached', 'domain_limit_reached'],
  ['invalid-hostname', 'invalid_hostname'],
  ['hostname-is-service', 'hostname_is_service'],
  ['hostname-is-public-suffix', 'hostname_is_public_suffix'],
  ['origin-not-allowed', 'origin_not_allowed'],
  ['validation-failed', 'validation_failed'],
])('a test domain with the label %s is refused with %s', (label, code) => {
  expect(testOutcome(`${label}.acme.com`).refusedWith).toBe(code);
  expect(Object.keys(ERRORS)).toContain(code);
});

test('the labels of test mode are unique and valid DNS labels', () => {
  const labels = FORCED_OUTCOMES.map((each) => each.label);
  expect(new Set(labels).size).toBe(labels.length);
  for (const label of labels) expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
});

test('the labels of test mode in the documentation exist', () => {
  for (const label of [
    'dns-record-missing',
    'dns-record-mismatch',
    'dns-proxied',
    'caa-forbids',
    'ca-rate-limited',
  ]) {
    expect(testOutcome(`${label}.acme.com`).label).toBe(label);
  }
});
