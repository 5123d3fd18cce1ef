import { expect, test } from 'vitest';
import { healthOf } from '../../../shared/core/dns/dns-finding.ts';
import { REASONS, type ReasonCode } from '../../../shared/core/reasons.ts';

test.each<[string, ReasonCode[], boolean | null]>([
  ['nothing', [], true],
  ['warnings that block nothing', ['dns_ns_mismatch', 'dns_acme_challenge_conflict'], true],
  ['a finding that only needs time', ['dns_propagating'], null],
  ['a check that could not ask', ['dns_resolver_unavailable'], null],
  ['a CA that asks us to wait', ['ca_rate_limited'], null],
  ['a finding that someone has to fix', ['dns_record_missing'], false],
  ['both', ['dns_propagating', 'caa_forbids', 'dns_ns_mismatch'], false],
])('healthOf returns whether a diagnosis with %s is healthy', (_, codes, healthy) => {
  expect(healthOf(codes.map((code) => REASONS[code]))).toBe(healthy);
});
