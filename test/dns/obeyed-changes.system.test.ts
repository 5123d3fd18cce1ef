import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXABLE_CODES } from '../../shared/core/dns/changes/finding-changes.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../fixtures/dns/kdig.ts';
import { KNSUPDATE } from '../fixtures/dns/update-zone.ts';
import {
  HOST_SERVERS,
  LENIENT,
  REGISTRY,
  type RealInternet,
  startRealInternet,
  whyNoInternet,
} from '../fixtures/real-internet.ts';
import { expecting, LENIENT_SERVER, V4, V6 } from './broken-zones.ts';
import { diagnoseAt } from './diagnose-at.ts';
import { FIXED_ZONES } from './fixed-zones.ts';
import { startLenientHost } from './lenient-host.ts';
import { obeyChanges } from './obey-changes.ts';

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG, KNSUPDATE] }) ?? whyNoInternet();

describeUnlessMissing(missing, 'The changes that the findings suggest fix a broken zone', () => {
  let net: RealInternet;
  let lenient: AsyncDisposable | undefined;
  const seen = new Set<string>();

  beforeAll(async () => {
    net = await startRealInternet({
      'edge.test': { records: [`* A ${V4}`, `* AAAA ${V6}`] },
      'careers.stale-ds-of-subzone.test': { records: [] },
      ...Object.fromEntries(FIXED_ZONES.map(({ label, ...zone }) => [`${label}.test`, zone])),
    });
    const careless = FIXED_ZONES.filter(({ servers }) => servers?.includes(LENIENT_SERVER));
    lenient = await startLenientHost(
      net.authorityPort,
      Object.fromEntries(careless.map(({ label, records }) => [`${label}.test`, records])),
    );
  });
  afterAll(async () => {
    await lenient?.[Symbol.asyncDispose]();
    await net[Symbol.asyncDispose]();
  });

  test.each(FIXED_ZONES)(
    'in the zone $label, with this number of changes: $changes',
    async ({ label, at, changes, unrelated = [] }) => {
      const expectation = expecting(label, at);
      const before = await diagnoseAt(net, expectation);
      expect(before.findings.length).toBeGreaterThan(0);
      for (const { code } of before.findings) seen.add(code);
      const kept = await lookUp(label, unrelated);
      expect(await obeyChanges(before, serversOf)).toHaveLength(changes);
      await Promise.all(net.resolvers.map((resolver) => resolver.forget(`${label}.test`)));
      const after = await diagnoseAt(net, expectation);
      expect(after.findings).toEqual([]);
      expect(after.healthy).toBe(true);
      expect(await lookUp(label, unrelated)).toEqual(kept);
    },
  );

  test('every finding that suggests changes occurs in a zone of this test', () => {
    // `whitelabel_ended` cannot occur here, because it needs an app whose plan has changed.
    const expected = FIXABLE_CODES.filter((code) => code !== 'whitelabel_ended');
    expect(expected.filter((code) => !seen.has(code))).toEqual([]);
  });

  function serversOf(zone: string) {
    return hostsOf(zone).map((host) => ({ host, port: net.authorityPort }));
  }

  function hostsOf(zone: string): readonly string[] {
    const { servers, signed } = FIXED_ZONES.find(({ label }) => zone === `${label}.test`) ?? {};
    if (zone === 'test') return [REGISTRY];
    if (servers?.includes(LENIENT_SERVER)) return [LENIENT];
    return signed ? HOST_SERVERS.slice(0, 1) : HOST_SERVERS;
  }

  /** Returns the records of a zone at the given names and types. Fails if a record does not exist. */
  function lookUp(label: string, names: readonly string[]): Promise<string[]> {
    const [server] = serversOf(`${label}.test`);
    if (server === undefined) throw new Error('there is no server');
    return Promise.all(
      names.map(async (each) => {
        const [name, type = ''] = each.split(' ');
        const found = await kdig(server, [
          name === '@' ? `${label}.test` : `${name}.${label}.test`,
          type,
          '+short',
        ]);
        expect(found).not.toBe('');
        return found;
      }),
    );
  }
});
