import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemRandom } from '../../shared/adapters/system.ts';
import { viewOutcome } from '../../shared/core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import type { Finding } from '../../shared/core/dns/dns-finding.ts';
import { diagnose } from '../../shared/core/dns/dns-findings.ts';
import { DNS_REASONS } from '../../shared/core/dns/dns-reasons.ts';
import type { DnsSurvey } from '../../shared/core/dns/dns-survey.ts';
import { verdict } from '../../shared/core/dns/dns-verdict.ts';
import { createDns } from '../../shared/dns/create-dns.ts';
import type { Dns, SurveyDepth } from '../../shared/ports/dns.ts';
import { sampleDomain, T0 } from '../core/domains/sample-domain.ts';
import { describeRealInternet } from '../fixtures/describe-real-internet.ts';
import { NEGATIVE_TTL_S, RECORD_TTL_S } from '../fixtures/dns/master-file.ts';
import { type CustomerZone, type RealInternet, startRealInternet } from '../fixtures/real-internet.ts';
import { BROKEN_ZONES, expecting, PROOF, TARGET, V4, V6 } from './broken-zones.ts';
import { HEALTHY_ZONES } from './healthy-zones.ts';

const RIGHT = `careers CNAME ${TARGET}.`;
/** Zones for tests that change their zone or check it in a special way. Each test has its own zone, because resolvers cache. */
const OTHER_ZONES: Record<string, CustomerZone> = {
  'edge.test': { records: [`* A ${V4}`, `* AAAA ${V6}`] },
  'brand.test': { records: [`jobs CNAME ${TARGET}.`, RIGHT] },
  'careers.cut.test': { records: [] },
  'added-late.test': { records: [] },
  'asked-early.test': { records: [] },
  'moved.test': { records: ['careers CNAME shops.myshopify.com.'] },
  'half-asked.test': { records: [RIGHT] },
  'apex-late.test': { records: [] },
  'blocked.test': { records: [RIGHT] },
  'blocked-apex.test': { records: [`@ A ${V4}`, `_service TXT "${PROOF}"`] },
  'blocked-and-gone.test': { records: [RIGHT] },
};

describeRealInternet('Zones on real name servers', () => {
  let net: RealInternet;
  let dns: Dns;
  let withSpare: Dns;

  beforeAll(async () => {
    const zones = [...BROKEN_ZONES, ...HEALTHY_ZONES].map(
      ({ label, ...zone }) => [`${label}.test`, { records: [], ...zone }] as const,
    );
    net = await startRealInternet({ ...OTHER_ZONES, ...Object.fromEntries(zones) });
    dns = look(net.resolverAddresses);
    withSpare = look(net.resolverAddresses, [(await net.startSpare()).address]);
  });
  afterAll(() => net[Symbol.asyncDispose]());

  describe('without mistakes get no findings', () => {
    test.each(HEALTHY_ZONES)('get no findings in the case "$title"', async ({ label, at }) => {
      const expectation = expecting(label, at);
      for (const depth of ['first', 'again', 'all'] as const) {
        const survey = await dns.survey(expectation, depth);
        expect(diagnose(survey, expectation)).toEqual([]);
        expect(outcomes(survey, expectation)).toEqual(['right', 'right', 'right']);
      }
    });
  });

  describe('with a mistake get a finding', () => {
    test.each(BROKEN_ZONES)(
      'get the expected findings: $label: $codes',
      async ({ label, at, depth, codes, found }) => {
        const findings = await findingsOf(expecting(label, at), depth);
        expect(findings.map(({ code }) => code)).toEqual(codes);
        expect(findings[0]?.found).toEqual(found);
      },
    );

    test('get domain_not_registered if the domain is not registered', async () => {
      const findings = await findingsOf(expecting('unregistered'));
      expect(findings).toMatchObject([{ code: 'domain_not_registered' }]);
      expect(findings[0]?.hint).toContain('unregistered.test');
    });

    test('get dns_resolver_unavailable if one resolver is unreachable', async () => {
      const [one = '', two = ''] = net.resolverAddresses;
      const survey = await look([one, two, `127.0.0.14:${net.authorityPort}`]).survey(
        expecting('half-asked'),
        'first',
      );
      const findings = diagnose(survey, expecting('half-asked'));
      expect(findings).toMatchObject([{ code: 'dns_resolver_unavailable', severity: 'info' }]);
      expect(findings[0]?.found).toContain('unreachable');
    });

    test('get dns_propagating while the old record is still cached', async () => {
      const expectation = expecting('moved');
      await dns.survey(expectation, 'again');
      await net.change('moved.test', [RIGHT]);
      const findings = await findingsOf(expectation);
      expect(findings).toMatchObject([{ code: 'dns_propagating', found: 'shops.myshopify.com' }]);
      const leftS = Number(/at most (\d+) seconds/.exec(findings[0]?.hint ?? '')?.[1]);
      expect(leftS).toBeGreaterThan(0);
      expect(leftS).toBeLessThanOrEqual(RECORD_TTL_S);
      await Promise.all(net.resolvers.map((resolver) => resolver.forget('moved.test')));
      expect(await findingsOf(expectation)).toEqual([]);
    });

    test.each([
      ['blocked', undefined],
      ['blocked-apex', 'apex'],
    ] as const)(
      'get dns_resolver_blocks if a resolver blocks the name, even if a spare confirms the record: %s',
      async (label, at) => {
        const expectation = expecting(label, at);
        const [, , third] = net.resolvers;
        await third?.block(`${label}.test`);
        for (const depth of ['first', 'again', 'all'] as const) {
          const alone = await dns.survey(expectation, depth);
          expect(outcomes(alone, expectation)).toEqual(['right', 'right', 'unknown']);
          expect(diagnose(alone, expectation)).toMatchObject([
            { code: 'dns_resolver_blocks', found: third?.address, retryable: true },
          ]);
          const survey = await withSpare.survey(expectation, depth);
          expect(outcomes(survey, expectation)).toEqual(['right', 'right', 'right']);
          expect(diagnose(survey, expectation)).toMatchObject([
            { code: 'dns_resolver_blocks', found: third?.address, retryable: false },
          ]);
        }
        for (const status of ['pending_dns', 'dns_broken'] as const) {
          const domain = sampleDomain({ mode: 'live', hostname: expectation.hostname, status });
          const triggerBy = async (looked: Dns) =>
            verdict(domain, await looked.survey(expectation, 'first'), expectation, {
              missed_at: null,
              now: T0,
            }).trigger?.name;
          expect(await triggerBy(dns)).not.toBe('dns_confirmed');
          expect(await triggerBy(withSpare)).toBe('dns_confirmed');
        }
        await third?.unblock(`${label}.test`);
        expect(diagnose(await withSpare.survey(expectation, 'again'), expectation)).toEqual([]);
      },
    );

    test('a resolver that blocks a name does not prove that its record is gone', async () => {
      const expectation = expecting('blocked-and-gone');
      await Promise.all(net.resolvers.slice(1).map((resolver) => resolver.block('blocked-and-gone.test')));
      expect(outcomes(await dns.survey(expectation, 'again'), expectation)).toEqual([
        'right',
        'unknown',
        'unknown',
      ]);
      await net.change('blocked-and-gone.test', []);
      await net.resolvers[0]?.forget('blocked-and-gone.test');
      const survey = await dns.survey(expectation, 'again');
      // The zone's own servers also return NXDOMAIN, so the check believes the three resolvers.
      expect(outcomes(survey, expectation)).toEqual(['wrong', 'wrong', 'wrong']);
    });

    test('every finding of a DNS check occurs in a zone of this test', () => {
      const elsewhere = [
        'domain_not_registered',
        'dns_resolver_blocks',
        'dns_resolver_unavailable',
        'dns_propagating',
      ];
      const said = new Set([...BROKEN_ZONES.flatMap(({ codes }) => codes), ...elsewhere]);
      // Findings about a proxy come from the public path, not from the zone (`check-dns-proxied.test.ts`).
      const findable = [
        ...Object.keys(DNS_REASONS).filter((code) => !code.startsWith('proxy_')),
        'caa_forbids',
        'caa_lookup_failed',
      ];
      expect([...said].sort(), 'each DNS reason needs a zone in test/dns/broken-zones.ts').toEqual(
        findable.sort(),
      );
    });
  });

  describe(`when resolvers cache a missing record for ${NEGATIVE_TTL_S} s`, () => {
    test.each([
      ['added-late', undefined, [RIGHT]],
      ['apex-late', 'apex', [`@ A ${V4}`, `_service TXT "${PROOF}"`]],
    ] as const)(
      'a check at once confirms a record that was created after checks and diagnoses: %s',
      async (label, at, records) => {
        const expectation = expecting(label, at);
        for (const depth of ['first', 'all'] as const) {
          const survey = await dns.survey(expectation, depth);
          expect(diagnose(survey, expectation)[0]?.code).toBe('dns_record_missing');
          expect(survey.authorities[0]?.a.negative_ttl_s).toBe(NEGATIVE_TTL_S);
        }
        expect(await remembered(`${label}.test`)).toEqual([]);
        await net.change(`${label}.test`, records);
        const survey = await dns.survey(expectation, 'first');
        expect(outcomes(survey, expectation)).toEqual(['right', 'right', 'right']);
        expect((await remembered(`${label}.test`)).length).toBeGreaterThan(0);
      },
    );

    test('resolvers that were asked too early still return the negative answer', async () => {
      const expectation = expecting('asked-early');
      await dns.survey(expectation, 'again');
      expect((await remembered('asked-early.test')).length).toBeGreaterThan(0);
      await net.change('asked-early.test', [RIGHT]);
      const survey = await dns.survey(expectation, 'first');
      expect(outcomes(survey, expectation)).toEqual(['wrong', 'wrong', 'wrong']);
      const [finding] = diagnose(survey, expectation);
      expect(finding).toMatchObject({ code: 'dns_propagating', retryable: true });
      expect(finding?.hint).toContain('at most 60 minutes');
    });
  });

  function look(resolvers: readonly string[], spareResolvers: readonly string[] = []): Dns {
    return createDns({
      resolvers,
      spareResolvers,
      authorityPort: net.authorityPort,
      allowLoopback: true,
      random: systemRandom,
      clock: { now: () => performance.now() },
    });
  }

  async function findingsOf(expectation: DnsExpectation, depth: SurveyDepth = 'first'): Promise<Finding[]> {
    return diagnose(await dns.survey(expectation, depth), expectation);
  }

  /** Returns the lines in the resolvers' caches about a customer's names. */
  async function remembered(zone: string): Promise<string[]> {
    const lines = (await Promise.all(net.resolvers.map((resolver) => resolver.remembered()))).flat();
    return lines.filter((line) => line.includes(`${zone}. `) && !line.includes(' DS '));
  }
});

function outcomes({ resolvers }: DnsSurvey, expectation: DnsExpectation): string[] {
  return resolvers.map((view) => viewOutcome(view, expectation));
}
