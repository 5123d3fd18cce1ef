import { expect, test } from 'vitest';
import { healthOf } from '../../../shared/core/dns/diagnosis-health.ts';
import { REASONS, type ReasonCode } from '../../../shared/core/reasons.ts';

test.each<[string, ReasonCode[], boolean | null]>([
  ['nothing', [], true],
  ['a warning that nothing waits for', ['dns_ns_mismatch', 'dns_acme_challenge_conflict'], true],
  ['what time cures', ['dns_propagating'], null],
  ['what could not be told', ['dns_resolver_unavailable'], null],
  ['a CA that asks to wait', ['ca_rate_limited'], null],
  ['what somebody has to correct', ['dns_record_missing'], false],
  ['both', ['dns_propagating', 'caa_forbids', 'dns_ns_mismatch'], false],
])('%s', (_, codes, healthy) => {
  expect(healthOf(codes.map((code) => REASONS[code]))).toBe(healthy);
});
