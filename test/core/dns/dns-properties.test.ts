import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDefinite, viewOutcome } from '../../../shared/core/dns/dns-confirmation.ts';
import { diagnose } from '../../../shared/core/dns/dns-findings.ts';
import type { DnsSurvey } from '../../../shared/core/dns/dns-survey.ts';
import { SECOND_LOOK_MS, verdict } from '../../../shared/core/dns/dns-verdict.ts';
import { compareReasons } from '../../../shared/core/reasons.ts';
import { sampleDomain, T0 } from '../domains/sample-domain.ts';
import {
  APEX,
  caaLookups,
  FOREIGN_V4,
  FOREIGN_V6,
  lookup,
  PROOF,
  type Said,
  type SaidView,
  SUBDOMAIN,
  surveyOf,
  TARGET,
  V4,
  V6,
} from './survey-builder.ts';

const FAILURES = ['timeout', 'servfail', 'refused', 'unreachable', 'malformed', 'not_allowed'] as const;
const failure = fc.constantFrom<Said>(...FAILURES);
const no = fc.constantFrom<Said>('nxdomain', 'nodata');
const hostile = fc.tuple(fc.constantFrom('A', 'AAAA', 'CNAME', 'TXT', 'CAA'), fc.string({ unit: 'binary' }));
const odd = fc.array(
  hostile.map(([type, text]) => `${type} ${text}`),
  { minLength: 1, maxLength: 4 },
);

const saidView = fc.record<Required<SaidView>>({
  a: fc.oneof(
    failure,
    no,
    fc.subarray([`A ${V4}`, `A ${FOREIGN_V4}`, 'A 10.0.0.1', 'A 104.16.1.1'], { minLength: 1 }),
    fc.constantFrom<Said>([`CNAME ${TARGET}`], [`CNAME ${TARGET}.acme.com`], ['CNAME x.example', `A ${V4}`]),
    odd,
  ),
  aaaa: fc.oneof(
    failure,
    no,
    fc.subarray([`AAAA ${V6}`, `AAAA ${FOREIGN_V6}`, 'AAAA fd00::1'], { minLength: 1 }),
    odd,
  ),
  txt: fc.oneof(failure, no, fc.constantFrom<Said>([`TXT ${PROOF}`], ['TXT other']), odd),
  ede: fc.subarray([6, 9, 22]),
});
const unknownView = fc.record<Required<SaidView>>({
  a: failure,
  aaaa: failure,
  txt: failure,
  ede: fc.subarray([6, 22]),
});

const expectation = fc.constantFrom(SUBDOMAIN, APEX, { ...APEX, txtRequired: false });
const probe = (type: 'A' | 'CNAME') =>
  fc.option(
    fc
      .oneof(failure, no, odd, fc.constant([`CNAME ${TARGET}`]))
      .map((said) => lookup('x.acme.com.acme.com', type, said)),
  );
const probes = fc.record({
  doubledHost: probe('A'),
  doubledWildcard: probe('A'),
  acme_challenge: probe('CNAME'),
  unvalidated: probe('A'),
  besideCname: fc.array(
    fc.oneof(failure, odd).map((said) => lookup(SUBDOMAIN.hostname, 'TXT', said)),
    { maxLength: 2 },
  ),
  caa: fc.oneof(
    fc.constant([]),
    fc.oneof(failure, odd).map((said) => caaLookups(SUBDOMAIN.hostname, { 'acme.com': said })),
  ),
});
const delegation = fc.option(
  fc.record({
    zone: fc.constantFrom(null, 'acme.com', SUBDOMAIN.hostname, 'com'),
    registered: fc.constantFrom(null, true, false),
    parent_servers: fc.subarray(['ns1.host.example', 'ns1.sedoparking.com', 'ada.ns.cloudflare.com']),
    own_servers: fc.subarray(['ns1.host.example', 'ns2.host.example']),
    lame_servers: fc.subarray(['ns1.host.example', 'ns1.sedoparking.com']),
  }),
);

function surveys(view: fc.Arbitrary<SaidView>) {
  const resolvers = fc.oneof(fc.constant([]), fc.array(view, { minLength: 3, maxLength: 3 }));
  const zone = fc.array(view, { maxLength: 3 });
  return fc.record({ expectation, said: fc.record({ resolvers, zone, delegation, probes }) });
}

const BLAMES_THE_RECORD = /^dns_(conflicting|apex|doubled|proxied|reserved|stale|extra|record|txt)/;

test('the verdict blames the record only if a server returns it wrong, or its CNAME is foreign', () => {
  fc.assert(
    fc.property(surveys(fc.oneof(saidView, unknownView)), ({ expectation, said }) => {
      const survey = surveyOf(expectation, said);
      const codes = diagnose(survey, expectation).map(({ code }) => code);
      const isSeen =
        viewsOf(survey).some((view) => viewOutcome(view, expectation) === 'wrong') ||
        survey.authorities.some(({ a }) => a.records.some(({ type }) => type === 'CNAME'));
      if (codes.some((code) => BLAMES_THE_RECORD.test(code))) expect(isSeen).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('the verdict always has a finding if a server returns a wrong record', () => {
  fc.assert(
    fc.property(surveys(saidView), ({ expectation, said }) => {
      const survey = surveyOf(expectation, { ...said, delegation: null });
      const views = viewsOf(survey);
      // Skips surveys with a server that did not return the hostname's records, because such a server gets no further queries.
      fc.pre(views.every(({ a }) => isDefinite(a)));
      if (views.some((view) => viewOutcome(view, expectation) === 'wrong'))
        expect(diagnose(survey, expectation)).not.toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('the verdict reports a failed lookup only as a failed lookup, not as a wrong record', () => {
  fc.assert(
    fc.property(surveys(unknownView), ({ expectation, said }) => {
      const survey = surveyOf(expectation, { ...said, delegation: null, probes: {} });
      const codes = diagnose(survey, expectation).map(({ code }) => code);
      expect([['dns_resolver_unavailable'], ['dnssec_invalid']]).toContainEqual(codes);
    }),
  );
});

test('the verdict sorts findings, one per code, and keeps them short and printable, whatever servers say', () => {
  fc.assert(
    fc.property(surveys(saidView), ({ expectation, said }) => {
      const findings = diagnose(surveyOf(expectation, said), expectation);
      const codes = findings.map(({ code }) => code);
      expect(codes).toEqual([...new Set(codes)].toSorted(compareReasons));
      for (const { expected, found, hint } of findings) {
        expect(`${expected}${found}${hint}`.length).toBeLessThan(20_000);
        expect(`${expected}${found}${hint}`).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    }),
    { numRuns: 500 },
  );
});

test('the verdict has no finding about the record if every answer is right', () => {
  const right: SaidView = { a: [`CNAME ${TARGET}`] };
  fc.assert(
    fc.property(probes, (probes) => {
      const survey = surveyOf(SUBDOMAIN, { zone: [right, right], resolvers: [right, right, right], probes });
      const errors = diagnose(survey, SUBDOMAIN).filter(({ code }) => code.startsWith('dns_'));
      expect(errors.filter(({ severity }) => severity !== 'warning')).toEqual([]);
    }),
  );
});

test('a live domain breaks only if two checks find that two resolvers do not return the record', () => {
  const live = fc.constantFrom('active' as const, 'cert_failed' as const, 'issuing' as const);
  const views = fc.array(fc.oneof(saidView, unknownView), { minLength: 3, maxLength: 3 });
  const checks = fc.array(fc.record({ resolvers: views, afterMs: fc.integer({ min: 1000, max: 120_000 }) }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(live, expectation, checks, (status, expectation, checks) => {
      const domain = sampleDomain({ mode: 'live', status });
      let missedAt: number | null = null;
      let now = T0;
      let missedSince: number | null = null;
      for (const { resolvers, afterMs } of checks) {
        now += afterMs;
        const survey = surveyOf(expectation, { resolvers });
        const result = verdict(domain, survey, expectation, { missed_at: missedAt, now });
        const gone =
          survey.resolvers.filter((view) => viewOutcome(view, expectation) === 'wrong').length >= 2;
        if (result.trigger !== null) {
          expect(result.trigger.name).toBe('dns_gone');
          expect(gone).toBe(true);
          expect(missedSince).not.toBeNull();
          expect(now - (missedSince ?? now)).toBeGreaterThanOrEqual(SECOND_LOOK_MS);
          return;
        }
        missedAt = result.missed_at;
        missedSince = missedAt === null ? null : (missedSince ?? now);
      }
    }),
    { numRuns: 500 },
  );
});

test('the verdict never changes a status because of failed lookups alone', () => {
  const status = fc.constantFrom(
    'pending_dns',
    'verifying',
    'issuing',
    'active',
    'cert_failed',
    'dns_broken',
  );
  fc.assert(
    fc.property(surveys(unknownView), status, fc.boolean(), ({ expectation, said }, status, missed) => {
      const domain = sampleDomain({ mode: 'live', status: status as 'active' });
      const survey = surveyOf(expectation, { ...said, delegation: null });
      const context = { missed_at: missed ? T0 : null, now: T0 + 2 * SECOND_LOOK_MS };
      expect(verdict(domain, survey, expectation, context).trigger).toBeNull();
    }),
  );
});

test('a domain with the route keeps its status if its addresses are unknown, even without the TXT record', () => {
  fc.assert(
    fc.property(fc.constantFrom(SUBDOMAIN, APEX), failure, failure, no, (proven, a, aaaa, txt) => {
      const expectation = { ...proven, txtRequired: false };
      const view = { a, aaaa, txt };
      const survey = surveyOf(expectation, { resolvers: [view, view, view] });
      const domain = sampleDomain({ mode: 'live', status: 'active' });
      const context = { missed_at: T0, now: T0 + SECOND_LOOK_MS };
      expect(verdict(domain, survey, expectation, context).trigger).toBeNull();
    }),
  );
});

function viewsOf({ authorities, resolvers }: DnsSurvey) {
  return [...authorities, ...resolvers];
}
