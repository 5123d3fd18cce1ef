import { afterEach, beforeEach, expect, test } from 'vitest';
import { startDns } from '../../../service/dns/start-dns.ts';
import { startOutsideNode } from '../../../service/outside-node.ts';
import { configurationWarnings } from '../../../service/settings/configuration-warnings.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../../fixtures/dns/kdig.ts';
import { problemsOf } from '../settings/config-problems.ts';
import { DNS_ENV, dnsConfig, QUIET } from './dns-node.ts';

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG] });

describeUnlessMissing(missing, 'A node with only the role dns runs the DNS server', () => {
  let node: Awaited<ReturnType<typeof startOutsideNode>>;
  beforeEach(async () => {
    node = await startOutsideNode(dnsConfig(), QUIET);
  });
  afterEach(() => node.stop());

  const ask = (...args: string[]) => {
    const [address] = node.addresses.dns ?? [];
    if (address === undefined) throw new Error('the node does not listen');
    return kdig(address, args);
  };
  const health = (path: string) => fetch(`http://127.0.0.1:${node.addresses.admin.port}${path}`);

  test('answers for both zones of the settings, without a database', async () => {
    expect(await ask('k7m2q9.edge.example.net', 'A', '+short')).toBe('192.0.2.10\n192.0.2.11\n');
    expect(await ask('dom_1.sandbox.example.net', 'AAAA', '+short')).toBe('2001:db8::10\n');
    expect(await ask('edge.example.net', 'NS', '+short')).toBe('ns1.example.net.\nns2.edge.example.net.\n');
    expect(await ask('ns2.edge.example.net', 'AAAA', '+short')).toBe('2001:db8::53\n');
    expect(await ask('sandbox.example.net', 'SOA', '+short')).toMatch(
      /^ns1\.example\.net\. hostmaster\.edge\.example\.net\. \d+ 7200 900 1209600 60\n$/,
    );
    expect(await ask('example.net', 'SOA')).toMatch('REFUSED');
  });

  test('is ready while it listens, and counts its responses in a metric', async () => {
    await ask('k7m2q9.edge.example.net', 'A');
    await ask('k7m2q9.edge.example.net', 'TXT', '+tcp');
    await ask('example.net', 'A');
    expect((await health('/readyz/dns')).status).toBe(200);
    expect((await health('/readyz/edge')).status).toBe(503);
    expect(await (await health('/readyz')).json()).toMatchObject({ ready: true, database: 'not used' });
    const metrics = await (await health('/metrics')).text();
    expect(metrics).toContain('nameplate_dns_responses_total{transport="udp",rcode="NOERROR"} 1');
    expect(metrics).toContain('nameplate_dns_responses_total{transport="tcp",rcode="NOERROR"} 1');
    expect(metrics).toContain('nameplate_dns_responses_total{transport="udp",rcode="REFUSED"} 1');
    expect(metrics).not.toMatch(/^nameplate_(database_up|dns_resolvers_up|check_ok)/m);
  });
});

test('a name server inside a served zone needs addresses; the addresses of any other name server are optional', () => {
  const about = (servers: string) =>
    problemsOf({ ...DNS_ENV, NAMEPLATE_DNS_SERVERS: servers }).NAMEPLATE_DNS_SERVERS;
  expect(about('ns1.example.net,ns2.edge.example.net')).toMatch(/^must be followed by addresses/);
  expect(
    dnsConfig({ NAMEPLATE_DNS_SERVERS: 'ns1.example.net 192.0.2.1,ns2.example.net' }).dns?.servers,
  ).toEqual([
    { name: 'ns1.example.net', addresses: ['192.0.2.1'] },
    { name: 'ns2.example.net', addresses: [] },
  ]);
  expect(about('ns1.example.net')).toMatch(/^must be at least two/);
  expect(about('ns1.example.net,ns1.example.net')).toMatch(/^must be at least two/);
  expect(about('ns1.example.net,-')).toMatch(/^must be names/);
  expect(problemsOf({ NAMEPLATE_ROLES: 'api,dns' }).NAMEPLATE_DNS_SERVERS).toMatch(/^is missing/);
});

test('the SOA record has another serial number if a setting of the zone differs', async () => {
  const serials = new Set<string | undefined>();
  for (const ipv4 of ['192.0.2.10', '192.0.2.10', '192.0.2.11']) {
    const node = await startOutsideNode(dnsConfig({ NAMEPLATE_EDGE_IPV4: ipv4 }), QUIET);
    const [address] = node.addresses.dns ?? [];
    const soa = address && (await kdig(address, ['edge.example.net', 'SOA', '+short']));
    serials.add(soa?.split(' ')[2]);
    await node.stop();
  }
  expect(serials.size).toBe(2);
});

test('a name server whose replica cannot be read has no TXT record for a challenge, and reports the error', async () => {
  const reported: unknown[] = [];
  const server = await startDns(dnsConfig(), {
    findTexts() {
      throw new Error('the disk is gone');
    },
    edges: null,
    edgeKeys: null,
    log: QUIET,
    metrics: { message: () => undefined, edges: () => undefined },
    onError: ({ kind, error }) => reported.push([kind, error.message]),
  });
  const [address = { host: '', port: 0 }] = server.addresses;
  expect(await kdig(address, ['0a1b.acme.edge.example.net', 'TXT'])).toMatch(
    /NOERROR.*ANSWER: 0; AUTHORITY: 1/s,
  );
  expect(reported).toEqual([['node', 'the disk is gone']]);
  await server.close(0);
});

test('the API node warns if its own hostname is in a zone where every name leads to the edge', () => {
  const warned = configurationWarnings(dnsConfig({ NAMEPLATE_BASE_URL: 'https://api.edge.example.net' })).map(
    ({ cannot }) => cannot,
  );
  expect(warned).toContainEqual(expect.stringMatching(/^be reached at https:\/\/api\.edge\.example\.net/));
});
