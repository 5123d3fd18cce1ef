import { describe, expect, test } from 'vitest';
import { FIXABLE_CODES } from '../../../shared/core/dns/changes/finding-changes.ts';
import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import { exampleFinding } from '../../../shared/core/dns/example-finding.ts';
import { REASON_CODES, REASONS, type ReasonCode } from '../../../shared/core/reasons.ts';
import { APEX, SUBDOMAIN } from './survey-builder.ts';

const HOST = 'domains.brand.example';
const BEHIND_HOST: DnsExpectation = {
  ...SUBDOMAIN,
  targets: [HOST, ...SUBDOMAIN.targets],
  host: {
    name: HOST,
    target: SUBDOMAIN.targets[0] ?? '',
    found: null,
    ended: false,
    accepted: true,
    keeps: false,
    bars: false,
  },
};
const FORCED = REASON_CODES.filter((code) => ['dns', 'ca'].includes(REASONS[code].group));
/** Reasons that come from no DNS check and have no facts. */
const WITHOUT_FACTS: readonly ReasonCode[] = ['ca_refused', 'ca_unavailable', 'edge_not_ready'];
const FIXABLE: readonly ReasonCode[] = FIXABLE_CODES;

describe.each([
  ['a subdomain', SUBDOMAIN],
  ['an apex', APEX],
  ['a subdomain behind a white-label host', BEHIND_HOST],
])('each reason has an example finding for %s', (_, expectation) => {
  test.each(FORCED)(
    'the example of %s has every value of its hint, and suggests changes if DNS records can fix the fault',
    (code) => {
      const finding = exampleFinding(code, expectation);
      if (WITHOUT_FACTS.includes(code)) return expect(finding).toBeNull();
      expect(finding?.code).toBe(code);
      if (REASONS[code].hint.includes('{found}')) expect(finding?.found).toEqual(expect.any(String));
      expect((finding?.changes.length ?? 0) > 0).toBe(FIXABLE.includes(code));
    },
  );
});

test('an example finding of caa_forbids suggests the CAA record that is missing', () => {
  expect(exampleFinding('caa_forbids', SUBDOMAIN)).toMatchObject({
    record: { type: 'CAA', name: '@' },
    expected: '0 issue "letsencrypt.org"',
    found: '0 issue "other-ca.example"',
    changes: [
      {
        action: 'add',
        type: 'CAA',
        zone: 'acme.com',
        name: '@',
        value: '0 issue "letsencrypt.org"',
        of: null,
      },
    ],
  });
});

test("the finding for a CNAME to a white-label host that has ended suggests the app's own target", () => {
  const host = BEHIND_HOST.host && { ...BEHIND_HOST.host, ended: true, accepted: false, bars: true };
  const [target] = SUBDOMAIN.targets;
  expect(exampleFinding('whitelabel_ended', { ...SUBDOMAIN, host })).toMatchObject({
    expected: target,
    found: HOST,
    changes: [{ action: 'replace', type: 'CNAME', value: target, of: { type: 'CNAME', value: HOST } }],
  });
});

test('a reason that no DNS check reports has no example finding', () => {
  expect(exampleFinding('hostname_held', SUBDOMAIN)).toBeNull();
  expect(exampleFinding('origin_http_error', SUBDOMAIN)).toBeNull();
});
