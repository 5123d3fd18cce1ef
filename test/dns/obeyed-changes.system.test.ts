import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatChanges } from '../../cli/diagnose/format-changes.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../fixtures/dns/kdig.ts';
import { KNSUPDATE, updateZone } from '../fixtures/dns/update-zone.ts';
import {
  HOST_SERVERS,
  type RealInternet,
  startRealInternet,
  whyNoInternet,
} from '../fixtures/real-internet.ts';
import { expecting, PROOF, TARGET, V4, V6 } from './broken-zones.ts';
import { diagnoseAt } from './diagnose-at.ts';

/** A zone on a server that takes updates, and the number of changes that fix it. */
interface FixedZone {
  label: string;
  at?: 'apex';
  records: readonly string[];
  changes: number;
  /** Records that have nothing to do with us and must stay. */
  unrelated?: readonly string[];
}

const TXT = `_service TXT "${PROOF}"`;

const FIXED_ZONES: readonly FixedZone[] = [
  { label: 'nothing', records: [], changes: 1 },
  { label: 'cname-elsewhere', records: ['careers CNAME shops.myshopify.com.'], changes: 1 },
  { label: 'address-elsewhere', records: ['careers A 93.184.215.14'], changes: 1 },
  { label: 'two-addresses', records: ['careers A 93.184.215.14', 'careers A 93.184.215.15'], changes: 2 },
  { label: 'both-families', records: ['careers A 93.184.215.14', 'careers AAAA 2a00:1450::5'], changes: 2 },
  { label: 'private', records: ['careers A 10.0.0.1'], changes: 1 },
  { label: 'under-a-wildcard', records: ['* A 93.184.215.14'], changes: 1, unrelated: ['other A'] },
  {
    label: 'with-a-wildcard-below',
    records: ['careers A 93.184.215.14', '*.careers A 93.184.215.14'],
    changes: 1,
    unrelated: ['x.careers A'],
  },
  {
    label: 'with-mail',
    records: ['careers A 93.184.215.14', 'careers MX 10 mail', 'mail A 93.184.215.20'],
    changes: 2,
    unrelated: ['careers MX', 'mail A'],
  },
  { label: 'only-mail', records: ['careers MX 10 mail.host.test.'], changes: 2, unrelated: ['careers MX'] },
  { label: 'domain-in-the-value', records: [`careers CNAME ${TARGET}`], changes: 1 },
  {
    label: 'domain-in-the-name',
    records: [`careers.domain-in-the-name.test CNAME ${TARGET}.`],
    changes: 1,
  },
  { label: 'flat-and-more', records: [`careers A ${V4}`, 'careers A 93.184.215.14'], changes: 2 },
  {
    label: 'authority-and-record',
    records: ['careers CNAME shops.myshopify.com.', '@ CAA 0 issue "other-ca.example"'],
    changes: 2,
  },
  { label: 'apex-nothing', at: 'apex', records: [], changes: 2 },
  {
    label: 'apex-elsewhere',
    at: 'apex',
    records: ['@ A 93.184.215.14', '@ AAAA 2a00:1450::5', TXT],
    changes: 2,
  },
  {
    label: 'apex-with-mail',
    at: 'apex',
    records: ['@ A 93.184.215.14', '@ MX 10 mail.host.test.', '@ TXT "v=spf1 -all"', '* A 93.184.215.14'],
    changes: 2,
    unrelated: ['@ MX', '@ TXT', 'x A'],
  },
  { label: 'apex-ipv6', at: 'apex', records: [`@ A ${V4}`, '@ AAAA 2a00:1450::5', TXT], changes: 1 },
  { label: 'apex-extra', at: 'apex', records: [`@ A ${V4}`, '@ A 93.184.215.14', TXT], changes: 1 },
  {
    label: 'apex-proof',
    at: 'apex',
    records: [`@ A ${V4}`, '_service TXT "say \\"yes\\"; or not"'],
    changes: 1,
  },
  {
    label: 'apex-long-proof',
    at: 'apex',
    records: [`@ A ${V4}`, `_service TXT "${'x'.repeat(255)}" "y"`],
    changes: 1,
  },
];

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG, KNSUPDATE] }) ?? whyNoInternet();

describeUnlessMissing(missing, 'A zone is fixed by the changes of its findings alone', () => {
  let net: RealInternet;

  beforeAll(async () => {
    net = await startRealInternet({
      'edge.test': { records: [`* A ${V4}`, `* AAAA ${V6}`] },
      ...Object.fromEntries(FIXED_ZONES.map(({ label, records }) => [`${label}.test`, { records }])),
    });
  });
  afterAll(() => net[Symbol.asyncDispose]());

  test.each(FIXED_ZONES)('$label: $changes', async ({ label, at, changes, unrelated = [] }) => {
    const expectation = expecting(label, at);
    const before = await diagnoseAt(net, expectation);
    expect(before.findings.length).toBeGreaterThan(0);
    const kept = await lookUp(label, unrelated);
    await Promise.all(servers().map((server) => updateZone(server, formatChanges(before, 'nsupdate'))));
    expect(JSON.parse(formatChanges(before, 'json'))).toHaveLength(changes);
    const after = await diagnoseAt(net, expectation);
    expect(after.findings).toEqual([]);
    expect(after.healthy).toBe(true);
    expect(await lookUp(label, unrelated)).toEqual(kept);
  });

  const servers = () => HOST_SERVERS.map((host) => ({ host, port: net.authorityPort }));

  /** Returns the records at names in a zone, each given as name and type. Every one must exist. */
  function lookUp(label: string, names: readonly string[]): Promise<string[]> {
    const [server] = servers();
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
