import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../shared/core/dns/dns-finding.ts';
import { dnsProgress } from '../../../shared/core/dns/dns-progress.ts';
import { REASONS, type ReasonCode, reasonDetail } from '../../../shared/core/reasons.ts';

const PENDING = { status: 'pending_dns', trigger: null } as const;

function found(code: ReasonCode, value: string | null = null): Finding {
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record: null, ...reasonDetail(code, { found: value }), changes: [] };
}

const MISSING = [found('dns_record_missing'), found('dns_txt_missing')];
const ELSEWHERE = [found('dns_record_mismatch', '203.0.113.7'), found('dns_txt_missing')];
const UNTOLD = [found('dns_resolver_unavailable')];

describe('the DNS progress of a domain shows whether the customer has begun', () => {
  test('is "untouched" after the first check, whatever the check finds', () => {
    expect(dnsProgress(null, MISSING, PENDING)).toBe('untouched');
    expect(dnsProgress(null, ELSEWHERE, PENDING)).toBe('untouched');
  });

  test.each([
    ['no record, as before', MISSING, MISSING, 'untouched'],
    ['a record where there was none', MISSING, ELSEWHERE, 'changed'],
    ['that one of the records is there', MISSING, [found('dns_txt_missing')], 'changed'],
    [
      'other addresses of the same host',
      ELSEWHERE,
      [found('dns_record_mismatch', '203.0.113.8'), found('dns_txt_missing')],
      'untouched',
    ],
    [
      'another CNAME',
      [found('dns_record_mismatch', 'old.example')],
      [found('dns_record_mismatch', 'new.example')],
      'changed',
    ],
    ['one more warning', MISSING, [...MISSING, found('dns_ns_mismatch')], 'untouched'],
    ['no server to ask', MISSING, UNTOLD, 'untouched'],
    ['an answer after a check without one', UNTOLD, ELSEWHERE, 'untouched'],
  ] as const)('changes with what a further check finds: %s', (_, before, after, progress) => {
    expect(dnsProgress({ progress: 'untouched', findings: before }, after, PENDING)).toBe(progress);
  });

  test('stays "changed" if the record is changed back', () => {
    expect(dnsProgress({ progress: 'changed', findings: ELSEWHERE }, MISSING, PENDING)).toBe('changed');
  });

  test('is "seen" once the record was right, and stays "seen"', () => {
    expect(dnsProgress(null, [], { status: 'pending_dns', trigger: 'dns_seen' })).toBe('seen');
    expect(dnsProgress(null, [], { status: 'pending_dns', trigger: 'dns_confirmed' })).toBe('seen');
    const before = { progress: 'changed', findings: [] } as const;
    expect(dnsProgress(before, MISSING, { status: 'verifying', trigger: 'dns_unseen' })).toBe('seen');
    expect(dnsProgress({ progress: 'seen', findings: MISSING }, MISSING, PENDING)).toBe('seen');
  });

  test('is not affected by the end of the 72 hours', () => {
    const outcome = { status: 'pending_dns', trigger: 'window_passed' } as const;
    expect(dnsProgress({ progress: 'untouched', findings: MISSING }, MISSING, outcome)).toBe('untouched');
  });
});
