import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textWidth } from '../../../cli/output/table.ts';
import { diagnosisSchema } from '../../../shared/schema/diagnosis.ts';
import { type BinProcess, emptyHome, runBin, startBin } from '../bin-process.ts';
import { apiError, startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { type CliOptions, keyFor, runCli } from '../run-cli.ts';

const ID = domainOf().id;
const EVIL = 'x\x1b[2J\x07\u009b31m\u202e\ny';

function lookupOf(fields: Record<string, unknown> = {}) {
  return {
    asked: 'authority',
    server: 'ns1.acme.com (192.0.2.53)',
    name: 'careers.acme.com',
    type: 'A',
    outcome: 'answer',
    failure: null,
    ede: [],
    records: [
      { name: 'careers.acme.com', type: 'CNAME', value: 'acme.netlify.app', ttl_s: 3600 },
      { name: 'acme.netlify.app', type: 'A', value: '198.51.100.7', ttl_s: 60 },
    ],
    negative_ttl_s: null,
    response_ms: 12,
    ...fields,
  };
}

function diagnosisOf(fields: Record<string, unknown> = {}) {
  return {
    hostname: 'careers.acme.com',
    checked_at: '2026-11-20T12:00:00.000Z',
    healthy: false,
    provider: { id: 'hetzner', name: 'Hetzner' },
    name_servers: ['helium.ns.hetzner.de', 'hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com'],
    findings: [
      {
        code: 'dns_record_mismatch',
        severity: 'error',
        record: { type: 'CNAME', name: 'careers' },
        expected: 'abc.edge.example.com',
        found: 'acme.netlify.app (Netlify)',
        hint: 'Change the record careers so that it points to us: type CNAME, value abc.edge.example.com. It now points to acme.netlify.app (Netlify).',
        retryable: false,
        docs: 'https://docs.example.com/reasons/dns_record_mismatch',
      },
    ],
    lookups: [
      lookupOf(),
      lookupOf({
        asked: 'resolver',
        server: '1.1.1.1',
        outcome: 'nxdomain',
        records: [],
        negative_ttl_s: 300,
      }),
      lookupOf({
        asked: 'resolver',
        server: '8.8.8.8',
        outcome: 'unknown',
        failure: 'servfail',
        ede: [9],
        records: [],
      }),
      lookupOf({
        asked: 'probe',
        server: '1.1.1.1',
        type: 'CAA',
        name: 'acme.com',
        outcome: 'nodata',
        records: [],
      }),
    ],
    ...fields,
  };
}

/** Starts an API that has a domain whose diagnosis is `body`. */
function apiWith(body: unknown) {
  return startFakeApi({
    'GET /v1/domains': page(domainOf()),
    [`GET /v1/domains/${ID}`]: { body: domainOf() },
    [`GET /v1/domains/${ID}/diagnosis`]: { body },
  });
}

async function shown(body: unknown, options: CliOptions & { flags?: string[] } = {}) {
  await using api = await apiWith(body);
  const argv = ['domains', 'diagnose', 'careers.acme.com', ...(options.flags ?? [])];
  return await runCli(argv, { env: keyFor(api.url), ...options });
}

describe("domains diagnose prints the server's diagnosis", () => {
  test.each([
    [true, 0],
    [false, 9],
    [null, 3],
  ])('the exit code for healthy: %s is %i, for a hostname and for an id', async (healthy, exit) => {
    await using api = await apiWith(diagnosisOf({ healthy }));
    for (const name of ['careers.acme.com', ID]) {
      const run = await runCli(['domains', 'diagnose', name, '--json'], { env: keyFor(api.url) });
      expect(run.exit).toBe(exit);
      expect(JSON.parse(run.stdout)).toEqual(diagnosisOf({ healthy }));
    }
  });

  test('prints the verdict, each finding with its fix, the provider and the lookups', async () => {
    const { stdout, stderr } = await shown(diagnosisOf());
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'careers.acme.com: 1 problem to fix.',
      '',
      'error: The record points elsewhere (dns_record_mismatch)',
      '  record    CNAME careers',
      '  found     acme.netlify.app (Netlify)',
      '  expected  abc.edge.example.com',
      expect.stringMatching(/^ {2}fix {7}Change the record careers .* \(Netlify\)\.$/),
      '  https://docs.example.com/reasons/dns_record_mismatch',
      '',
      'Your customer sees this page: http://127.0.0.1:1/connect/abc',
      '',
      'provider      Hetzner, https://console.hetzner.com/',
      'name servers  helium.ns.hetzner.de, hydrogen.ns.hetzner.com, oxygen.ns.hetzner.com',
      'checked       2026-11-20 12:00:00Z',
      '',
      'ASKED                      TYPE  NAME              ANSWER                            TTL',
      'ns1.acme.com (192.0.2.53)  A     careers.acme.com  acme.netlify.app -> 198.51.100.7  3600 s',
      '1.1.1.1                    A     careers.acme.com  no such name                      300 s',
      '8.8.8.8                    A     careers.acme.com  unknown: servfail, EDE 9          -',
      '1 more lookup: add --lookups',
      '',
    ]);
  });

  test('--lookups also shows the lookups that only search for a cause', async () => {
    const { stdout } = await shown(diagnosisOf(), { flags: ['--lookups'] });
    expect(stdout).toMatch(/1\.1\.1\.1 +CAA +acme\.com +no such record/);
    expect(stdout).not.toContain('--lookups');
  });

  test.each([
    [true, [], 'healthy.'],
    [true, [{ severity: 'warning' }], 'healthy, with 1 warning.'],
    [true, [{ severity: 'info' }], 'healthy.'],
    [null, [{ severity: 'info' }], 'nothing to fix, but not confirmed yet.'],
    [null, [], 'nothing to fix, but not confirmed yet.'],
  ])(
    'a diagnosis with healthy: %s and the findings %j is described as "%s"',
    async (healthy, findings, words) => {
      const [finding] = diagnosisOf().findings;
      const body = diagnosisOf({ healthy, findings: findings.map((each) => ({ ...finding, ...each })) });
      expect((await shown(body)).stdout).toMatch(`careers.acme.com: ${words}\n`);
    },
  );

  test.each([60, 80, 200])(
    'the output fits a terminal of %i columns, and no name or URL is broken',
    async (columns) => {
      const { stdout } = await shown(diagnosisOf(), { columns, flags: ['--no-color', '--lookups'] });
      for (const line of stdout.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      for (const whole of ['abc.edge.example.com', 'oxygen.ns.hetzner.com', 'reasons/dns_record_mismatch'])
        expect(stdout).toContain(whole);
    },
  );

  test('shows the results of the lookups without the names on a narrow terminal', async () => {
    const { stdout } = await shown(diagnosisOf(), { columns: 60, flags: ['--no-color'] });
    expect(stdout).not.toMatch(/ASKED.*NAME/);
    expect(stdout).toContain('no such name');
  });

  test('text from the DNS cannot control the terminal', async () => {
    const [finding] = diagnosisOf().findings;
    const record = { name: EVIL, type: EVIL, value: EVIL, ttl_s: 1 };
    const body = diagnosisOf({
      hostname: EVIL,
      provider: { id: EVIL, name: EVIL },
      name_servers: [EVIL],
      findings: [
        { ...finding, code: EVIL, found: EVIL, hint: EVIL, docs: EVIL, record: { type: EVIL, name: EVIL } },
      ],
      lookups: [lookupOf({ server: EVIL, name: EVIL, type: EVIL, records: [record] })],
    });
    for (const flags of [[], ['--json']]) {
      const { stdout } = await shown(body, { flags });
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });

  test('says that a test domain has no DNS lookups', async () => {
    const { stdout } = await shown(diagnosisOf({ lookups: [], name_servers: [], provider: null }));
    expect(stdout).toContain('No DNS lookups: test domains do not use real DNS.');
    expect(stdout).toMatch(/provider +unknown/);
  });

  test('exits with 6 if it is rate limited', async () => {
    await using api = await startFakeApi({
      'GET /v1/domains': page(domainOf()),
      [`GET /v1/domains/${ID}/diagnosis`]: {
        ...apiError(429, 'rate_limited'),
        headers: { 'retry-after': '15' },
      },
    });
    const argv = ['domains', 'diagnose', 'careers.acme.com'];
    expect((await runCli(argv, { env: keyFor(api.url) })).exit).toBe(6);
  });

  test('exits with 5 for an unknown id, and with 4 for an id without a key', async () => {
    await using api = await startFakeApi({});
    expect((await runCli(['domains', 'diagnose', ID], { env: keyFor(api.url) })).exit).toBe(5);
    expect((await runCli(['domains', 'diagnose', ID])).exit).toBe(4);
  });
});

describe('domains diagnose works against the emulator', () => {
  const env = emptyHome();
  let emulator: BinProcess;

  beforeAll(async () => {
    emulator = startBin(['emulator', 'start', '--port', '0', '--ephemeral', '--clock', 'frozen'], env);
    const [, url = '', key = ''] = await emulator.untilStdout(/API +(\S+).+test key +(\S+)/s);
    // Sets the API key. Without a key, a command would query DNS itself instead of the emulator.
    Object.assign(env, keyFor(url, key));
  });
  afterAll(() => emulator[Symbol.asyncDispose]());

  test.each([
    ['dns-proxied.acme.com', 9, ['dns_proxied']],
    ['dns-propagating.acme.com', 3, ['dns_propagating']],
    ['careers.acme.com', 0, []],
  ])('diagnoses the test hostname %s, and exits with %i', async (name, exit, codes) => {
    expect((await runBin(['domains', 'add', name], env)).exit).toBe(0);
    await runBin(['emulator', 'clock', 'advance', '20s'], env);
    const run = await runBin(['domains', 'diagnose', name, '--json'], env);
    const told = diagnosisSchema.parse(JSON.parse(run.stdout));
    expect({ exit: run.exit, codes: told.findings.map(({ code }) => code) }).toEqual({ exit, codes });
    expect((await runBin(['domains', 'diagnose', name], env)).exit).toBe(6);
  });

  test('links each finding to a page that exists', async () => {
    await runBin(['emulator', 'clock', 'advance', '20s'], env);
    const { stdout } = await runBin(['domains', 'diagnose', 'dns-proxied.acme.com', '--json'], env);
    const { status } = await fetch(JSON.parse(stdout).findings[0].docs);
    expect(status).toBe(200);
  });
});
