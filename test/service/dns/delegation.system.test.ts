import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDelegations } from '../../../service/dns/check-delegations.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../../fixtures/dns/kdig.ts';
import { KNOT_PROGRAMS } from '../../fixtures/dns/knot.ts';
import { UNBOUND_PROGRAMS } from '../../fixtures/dns/unbound.ts';
import { DELEGATION, type DelegatedZones, startDelegatedZones } from './delegated-zones.ts';

const missing = whyMissing({
  packages: ['knot', 'knot-dnsutils', 'unbound'],
  programs: [...KNOT_PROGRAMS, ...UNBOUND_PROGRAMS, KDIG],
});

describeUnlessMissing(missing, 'Zones of our DNS server work below a signed zone', () => {
  let zones: DelegatedZones;
  beforeAll(async () => {
    zones = await startDelegatedZones();
  });
  afterAll(() => zones?.[Symbol.asyncDispose]());

  const resolve = (...args: string[]) => {
    const [host = '', port] = zones.resolver.address.split(':');
    return kdig({ host, port: Number(port) }, args);
  };
  const problems = async () =>
    (await checkDelegations(zones.config, zones.port)).map((checked) =>
      checked.problems.map(({ problem }) => problem),
    );

  test('let a validating resolver find every name, and are unsigned themselves', async () => {
    expect(sorted(await resolve('k7m2q9.edge.test', 'A', '+short'))).toEqual(['192.0.2.10', '192.0.2.11']);
    expect(await resolve('dom_1.sandbox.test', 'AAAA', '+dnssec')).toMatch(/NOERROR.*2001:db8::10/s);
    expect(await resolve('k7m2q9.edge.test', 'CAA')).toMatch(/NOERROR.*ANSWER: 0; AUTHORITY: 1/s);
    expect(await resolve('a.ns2.edge.test', 'A')).toMatch(/NXDOMAIN/);
    expect(sorted(await resolve('edge.test', 'NS', '+short'))).toEqual(['ns1.host.test.', 'ns2.edge.test.']);
  });

  test('have no problem if the delegation is right', async () => {
    expect(await problems()).toEqual([[], []]);
  });

  test('are reported with each NS and address record that the parent zone lacks', async () => {
    await zones.delegate(DELEGATION.filter((record) => !record.startsWith('edge.test. NS ns2')));
    await zones.resolver.forget('test');
    expect((await problems())[0]).toEqual([
      'edge.test is delegated to ns1.host.test, but NAMEPLATE_DNS_SERVERS names ns1.host.test, ns2.edge.test',
    ]);
    await zones.delegate([
      ...DELEGATION.filter((record) => !record.includes(' NS ')),
      '*.edge.test. A 192.0.2.10',
    ]);
    await zones.resolver.forget('test');
    expect((await problems())[0]?.[0]).toBe(
      'edge.test is not delegated: its names are answered by the zone test',
    );
    await zones.delegate([...DELEGATION, 'edge.test. DS 12345 13 2 '.concat('ab'.repeat(32))]);
    await zones.resolver.forget('test');
    expect((await problems())[0]?.[0]).toMatch(/^the parent zone has a DS record for edge\.test/);
    await zones.delegate(DELEGATION);
    await zones.resolver.forget('test');
  });

  test('are reported with a server that does not respond, while the resolver uses the other server', async () => {
    await zones.nodes[0]?.stop();
    expect(await problems()).toEqual([
      ['ns1.host.test (127.0.0.43) does not answer'],
      ['ns1.host.test (127.0.0.43) does not answer'],
    ]);
    expect(sorted(await resolve('another.edge.test', 'A', '+short'))).toEqual(['192.0.2.10', '192.0.2.11']);
  });
});

/** Returns the records in a fixed order, because a resolver may rotate them (RFC 1794). */
function sorted(lines: string): string[] {
  return lines.trim().split('\n').sort();
}
