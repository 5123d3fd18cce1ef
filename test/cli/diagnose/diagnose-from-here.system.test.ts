import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnosisSchema } from '../../../shared/schema/diagnosis.ts';
import { type SmallInternet, smallInternet, TARGET, TXT_VALUE } from '../../dns/small-internet.ts';
import { emptyHome, runBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { appOf, domainOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const ID = domainOf().id;

let net: SmallInternet;

beforeAll(async () => {
  net = await smallInternet({
    acme: [
      ['right.acme.test', 'CNAME', TARGET],
      ['wrong.acme.test', 'CNAME', 'shop.brand.test'],
      ['flat.acme.test', 'A', '192.0.2.10'],
      ['flat.acme.test', 'AAAA', '2001:db8::10'],
      ['acme.test', 'A', '192.0.2.10'],
      ['_service.acme.test', 'TXT', TXT_VALUE],
      ['acme.test', 'CAA', { flags: 0, tag: 'issue', value: 'letsencrypt.org' }],
      ['strict.acme.test', 'CAA', { flags: 0, tag: 'issue', value: 'ca.example' }],
    ],
    brand: [
      ['brand.test', 'A', '93.184.215.14'],
      ['shop.brand.test', 'A', '93.184.215.14'],
    ],
  });
});
afterAll(() => net[Symbol.asyncDispose]());

const here = () => [
  ...net.resolvers.flatMap(({ address }) => ['--resolver', address]),
  ...['--authority-port', String(net.tld.port)],
];

async function look(name: string, flags: string[] = [], env: Record<string, string> = {}) {
  const argv = ['domains', 'diagnose', name, '--json', ...here(), ...flags];
  const { exit, stdout, stderr } = await runCli(argv, { env });
  const told = JSON.parse(stdout);
  return { exit, stderr, told, codes: (told.findings ?? []).map(({ code }: { code: string }) => code) };
}

test.each([
  ['right.acme.test', 0, []],
  ['wrong.acme.test', 9, ['dns_record_mismatch']],
  ['absent.acme.test', 9, ['dns_record_missing']],
  ['flat.acme.test', 0, []],
  ['strict.acme.test', 9, ['dns_record_missing', 'caa_forbids']],
  ['www.nobody.test', 9, ['domain_not_registered']],
])('diagnose compares %s with the target of --target, and exits with %i', async (name, exit, codes) => {
  const seen = await look(name, ['--target', TARGET]);
  expect({ exit: seen.exit, codes: seen.codes }).toEqual({ exit, codes });
  expect(diagnosisSchema.parse(seen.told)).toEqual(seen.told);
  expect(seen.told.hostname).toBe(name);
});

test.each([
  ['acme.test', ['--address', '192.0.2.10', '--address', '2001:db8::10'], 0, []],
  ['brand.test', ['--address', '192.0.2.10'], 9, ['dns_record_mismatch']],
])('diagnose compares the apex domain %s with the addresses of %j', async (name, flags, exit, codes) => {
  const seen = await look(name, flags);
  expect({ exit: seen.exit, codes: seen.codes }).toEqual({ exit, codes });
});

test.each([
  ['right.acme.test', 3, [], '--target'],
  ['wrong.acme.test', 3, [], '--target'],
  ['absent.acme.test', 9, ['dns_record_missing'], '--target'],
  ['strict.acme.test', 9, ['dns_record_missing', 'caa_forbids'], '--target'],
  ['www.nobody.test', 9, ['domain_not_registered'], '--target'],
  ['brand.test', 3, [], '--address'],
])(
  'without a key, diagnose reports for %s only findings that need no target, and names the flag for the target',
  async (name, exit, codes, how) => {
    const seen = await look(name);
    expect({ exit: seen.exit, codes: seen.codes }).toEqual({ exit, codes });
    expect(seen.stderr).toMatch(/(is|are) unknown/);
    expect(seen.stderr).toContain(how);
  },
);

test('without a key, diagnose prints that the target is unknown, and shows the current record', async () => {
  const { stdout } = await runCli(['domains', 'diagnose', 'wrong.acme.test', ...here()]);
  expect(stdout).toMatch(
    /^wrong\.acme\.test: no problem found\.\n\nThe expected target of wrong\.acme\.test is unknown/,
  );
  expect(stdout).toContain('shop.brand.test');
  expect(stdout).toContain('ns1.acme.test, ns2.acme.test');
});

test("for a hostname that the app does not have, diagnose compares DNS with the app's targets, the white-label host first", async () => {
  const app = appOf({ whitelabel_target: TARGET });
  await using api = await startFakeApi({
    'GET /v1/domains': page(),
    'GET /v1/apps/current': { body: app },
  });
  const env = keyFor(api.url);
  expect((await look('right.acme.test', [], env)).exit).toBe(0);
  const verified = { whitelabel_host: 'go.brand.test', whitelabel_verified: true };
  await using branded = await startFakeApi({
    'GET /v1/domains': page(),
    'GET /v1/apps/current': { body: { ...app, ...verified } },
  });
  const { told } = await look('absent.acme.test', [], keyFor(branded.url));
  expect(told.findings[0]?.expected).toBe('go.brand.test');
  expect((await look('right.acme.test', [], keyFor(branded.url))).exit).toBe(0);
});

test('diagnose compares a domain of the app with the records expected of that domain', async () => {
  const apex = { a: ['192.0.2.10'], aaaa: [], txt: { name: '_service', value: 'service-verify=other' } };
  const acme = domainOf({ hostname: 'acme.test', is_apex: true, dns: { cname: null, apex } });
  await using api = await startFakeApi({
    'GET /v1/domains': page(acme),
    'GET /v1/apps/current': { body: appOf() },
  });
  const { exit, codes } = await look('acme.test', [], keyFor(api.url));
  expect({ exit, codes }).toEqual({ exit: 9, codes: ['dns_txt_mismatch'] });
  expect(api.requests.map(({ path }) => path)).not.toContain(`/v1/domains/${ID}/diagnosis`);
  const active = { ...acme, status: 'active', status_reason: null };
  await using proven = await startFakeApi({
    'GET /v1/domains': page(active),
    'GET /v1/apps/current': { body: appOf() },
  });
  expect((await look('acme.test', [], keyFor(proven.url))).exit).toBe(0);
});

test('diagnose reports a hold even when it queries DNS from this machine', async () => {
  const statusDetail = { expected: 'a release', found: null, hint: 'Contact support.' };
  const held = domainOf({
    hostname: 'right.acme.test',
    dns: { cname: { name: 'right', value: TARGET }, apex: null },
    ...{ status: 'held', status_reason: 'hostname_held', status_detail: statusDetail },
  });
  await using api = await startFakeApi({
    'GET /v1/domains': page(held),
    'GET /v1/apps/current': { body: appOf() },
  });
  const { exit, codes } = await look('right.acme.test', [], keyFor(api.url));
  expect({ exit, codes }).toEqual({ exit: 9, codes: ['hostname_held'] });
});

test('diagnose --target sends no request to the API', async () => {
  await using api = await startFakeApi({});
  await look('right.acme.test', ['--target', TARGET], keyFor(api.url));
  expect(api.requests).toEqual([]);
});

test.each([
  ['--resolver', 'dns.example.com'],
  ['--address', 'acme.test'],
  ['--target', '1.2.3.4'],
  ['--resolver', '192.0.2.1', '--authority-port', '5300'],
])('diagnose refuses %s %s as a usage error', async (...flags) => {
  expect((await runCli(['domains', 'diagnose', 'right.acme.test', '--target', TARGET, ...flags])).exit).toBe(
    2,
  );
});

test.each(['co.uk', 'https://acme.test', 'a b.test'])(
  'diagnose exits with 2 for %s, which is not a hostname that can be checked',
  async (name) => {
    expect((await runCli(['domains', 'diagnose', name, '--target', TARGET])).exit).toBe(2);
  },
);

test('diagnose reports that no resolver can be reached, and suggests a cause', async () => {
  const argv = ['domains', 'diagnose', 'right.acme.test', '--target', TARGET, '--resolver', '127.0.0.1:1'];
  const { exit, stdout } = await runCli(argv);
  expect(exit).toBe(3);
  expect(stdout).toMatch(/^right\.acme\.test: unknown, because no resolver responds\n/);
  expect(stdout).toMatch(
    /fix +Check --resolver, and that your firewall allows outgoing UDP and TCP to port 53\.\n/,
  );
});

test('diagnose works in the built binary', async () => {
  const argv = ['domains', 'diagnose', 'wrong.acme.test', '--target', TARGET, ...here()];
  const { exit, stdout, stderr } = await runBin(argv, emptyHome());
  expect({ exit, stderr }).toEqual({ exit: 9, stderr: '' });
  expect(stdout).toContain('dns_record_mismatch');
});

test('if the server has no diagnosis endpoint, diagnose checks from this machine and prints a note', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': page(domainOf()),
    'GET /v1/apps/current': { body: appOf() },
  });
  // The command refuses this flag before it sends a query, because the flag is allowed only with resolvers on loopback.
  const argv = ['domains', 'diagnose', 'careers.acme.com', '--authority-port', '5300'];
  const { stderr, exit } = await runCli(argv, { env: keyFor(api.url) });
  expect(stderr).toMatch(/^This server is too old.*\n.*--authority-port/);
  expect(exit).toBe(2);
});
