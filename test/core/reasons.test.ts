import { describe, expect, test } from 'vitest';
import {
  compareReasons,
  isReasonCode,
  mostSevere,
  REASON_CODES,
  REASONS,
  reasonDetail,
} from '../../shared/core/reasons.ts';

describe.each(REASON_CODES)('the status reason %s has complete texts', (code) => {
  const reason = REASONS[code];

  test('has a title, a meaning and a hint that are whole sentences', () => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)+$|^dnssec_invalid$/);
    expect(reason.title).toMatch(/^[A-Z].*[^.]$/);
    expect(reason.meaning).toMatch(/^[A-Z].*\.$/);
    expect(reason.hint).toMatch(/^[A-Z].*\.$/);
    expect(reason.expected).not.toBe('');
  });

  test('leaves no placeholder in its hint, with or without facts', () => {
    const facts = { expected: 'EXPECTED', found: 'FOUND', name: 'NAME', type: 'CNAME', wait: '5 minutes' };
    for (const detail of [reasonDetail(code), reasonDetail(code, facts)]) {
      expect(detail.hint).not.toMatch(/[{}[\]]|undefined|null|\s[.,;:)]|\s\s/);
      expect(detail.expected).not.toBe('');
    }
  });
});

test('the catalog has every status reason that the API names', () => {
  const contract = [
    'not_allowed',
    'dns_failed',
    'timeout',
    'tls_error',
    'connection_failed',
    'http_error',
    'too_many_redirects',
    'bad_redirect',
  ];
  for (const each of contract) expect(isReasonCode(`origin_${each}`)).toBe(true);
  expect(isReasonCode('whitelabel_unverified')).toBe(true);
  expect(isReasonCode('dns_record_mismatch')).toBe(true);
});

test('a property that every JavaScript object has is not a status reason', () => {
  expect(isReasonCode('constructor')).toBe(false);
  expect(isReasonCode('__proto__')).toBe(false);
});

test('the hint of a status reason says what to enter', () => {
  const facts = { type: 'CNAME', name: 'careers', expected: 'a1.edge.service.example' };
  expect(reasonDetail('dns_record_missing', facts)).toEqual({
    expected: 'a1.edge.service.example',
    found: null,
    hint: 'At the DNS provider, add a record of type CNAME named careers with the value a1.edge.service.example.',
  });
});

test('the hint of a status reason leaves out unknown facts and contains known facts', () => {
  expect(reasonDetail('dns_txt_mismatch').hint).toBe('Change the TXT record.');
  expect(reasonDetail('dns_txt_mismatch', { name: '_service', found: null }).hint).toBe(
    'Change the TXT record _service.',
  );
});

test('a status reason without facts has the expected value of the catalog, and null as found', () => {
  expect(reasonDetail('ca_unavailable')).toMatchObject({
    expected: 'a response from the certificate authority',
    found: null,
  });
});

test('the hint of a status reason shortens and escapes untrusted facts, and never reads them as placeholders', () => {
  const found = `{expected} $& [x] \n\u202e${'x'.repeat(5000)}`;
  const detail = reasonDetail('dns_txt_mismatch', { expected: 'abc', found, name: '_service' });
  expect(detail.found?.length).toBeLessThan(600);
  expect(detail.hint).toContain('{expected} $& [x] \\u{a}\\u{202e}xxx');
  expect(detail.hint).toContain('to abc, ');
});

test('of several status reasons, the most severe is the one closest to the cause', () => {
  expect(mostSevere(['dns_propagating', 'dns_record_missing', 'domain_not_registered'])).toBe(
    'domain_not_registered',
  );
  expect(mostSevere(['dns_propagating', 'dns_ns_mismatch'])).toBe('dns_ns_mismatch');
  expect(mostSevere(['dns_record_missing', 'dns_doubled_host'])).toBe('dns_doubled_host');
  expect(mostSevere(['dns_resolver_unavailable'])).toBe('dns_resolver_unavailable');
  expect(mostSevere([])).toBeNull();
});

test('no two status reasons are equally severe', () => {
  const sorted = REASON_CODES.toSorted(compareReasons);
  for (const [i, code] of sorted.entries()) {
    for (const after of sorted.slice(i + 1)) {
      expect(compareReasons(code, after)).toBeLessThan(0);
      expect(compareReasons(after, code)).toBeGreaterThan(0);
    }
  }
});

test('a status reason of severity info asks the customer to do nothing', () => {
  for (const code of REASON_CODES) {
    if (REASONS[code].severity !== 'info') continue;
    // Informational reasons go away with time, except `proxy_leads_here`, which is no fault.
    expect(REASONS[code].retryable, code).toBe(code !== 'proxy_leads_here');
    expect(REASONS[code].hint).toMatch(/^No action needed/);
  }
});
