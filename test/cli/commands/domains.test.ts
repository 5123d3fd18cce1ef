import { expect, test } from 'vitest';
import { apiError, startFakeApi } from '../fake-api.ts';
import { domainOf, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const ID = domainOf().id;

test('every command that takes a domain id also takes its hostname', async () => {
  const domain = domainOf();
  await using api = await startFakeApi({
    'GET /v1/domains': page(domainOf({ id: 'dom_02', hostname: 'careers.acme.com.br' }), domain),
    [`GET /v1/domains/${ID}`]: { body: domain },
    [`PATCH /v1/domains/${ID}`]: { body: domain },
    [`POST /v1/domains/${ID}/verify`]: { status: 202, body: { queued: true } },
    [`DELETE /v1/domains/${ID}`]: { status: 204 },
    'GET /v1/events': page(),
  });
  const env = keyFor(api.url);
  for (const argv of [
    ['domains', 'get'],
    ['domains', 'update', '--origin', 'https://a.example.com'],
    ['domains', 'verify'],
    ['domains', 'open'],
    ['domains', 'wait', '--for', 'pending_dns'],
    ['domains', 'remove', '--yes'],
  ]) {
    for (const name of ['Careers.ACME.com.', ID]) {
      const { exit, stdout } = await runCli([...argv, name, '--json'], { env });
      expect({ argv, name, exit }).toEqual({ argv, name, exit: 0 });
      expect(() => JSON.parse(stdout)).not.toThrow();
    }
  }
  await runCli(['events', 'list', '--domain', 'careers.acme.com'], { env });
  expect(api.requests.at(-1)?.query.get('domain_id')).toBe(ID);
  const paths = new Set(api.requests.map(({ method, path }) => `${method} ${path}`));
  expect(paths).toContain(`DELETE /v1/domains/${ID}`);
  expect([...paths].filter((path) => path.includes('dom_02'))).toEqual([]);
});

test('domains get finds a Unicode hostname by its punycode, on any page of the list', async () => {
  const found = domainOf({ hostname: 'jobs.xn--mller-kva.example' });
  await using api = await startFakeApi({
    'GET /v1/domains': ({ query }) =>
      query.has('cursor')
        ? { body: { data: [found], next_cursor: null } }
        : { body: { data: [domainOf({ id: 'dom_02' })], next_cursor: 'c1' } },
  });
  const { exit, stdout } = await runCli(['domains', 'get', 'jobs.müller.example', '--json'], {
    env: keyFor(api.url),
  });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toEqual(found);
  expect(api.requests[0]?.query.get('hostname')).toBe('jobs.xn--mller-kva.example');
});

test('domains get exits with 5 for an unknown hostname', async () => {
  await using api = await startFakeApi({ 'GET /v1/domains': page() });
  expect((await runCli(['domains', 'get', 'a.acme.com'], { env: keyFor(api.url) })).exit).toBe(5);
});

test('domains add sends the fields of its flags, and prints the records, the connect page and the next command', async () => {
  const domain = domainOf({
    warnings: [{ code: 'origin_ignored_by_plan', message: 'The origin was ignored.' }],
  });
  await using api = await startFakeApi({ 'POST /v1/domains': { status: 201, body: domain } });
  const { exit, stdout, stderr } = await runCli(
    [
      'domains',
      'add',
      'careers.acme.com',
      '--origin',
      'https://a.example.com',
      '--metadata',
      'customer=42',
      '--metadata',
      'plan=a=b',
      '--header',
      'X-Team=blue',
    ],
    { env: keyFor(api.url) },
  );
  expect(exit).toBe(0);
  expect(api.requests[0]?.body).toEqual({
    hostname: 'careers.acme.com',
    origin: 'https://a.example.com',
    metadata: { customer: '42', plan: 'a=b' },
    origin_headers: { 'X-Team': 'blue' },
  });
  expect(stdout).toMatch(/CNAME +careers +abc\.edge\.example\.com/);
  expect(stdout).toContain(domain.connect_url);
  expect(stdout).toContain('nameplate domains wait careers.acme.com');
  expect(stderr).toContain('origin_ignored_by_plan');
});

test('domains add prints the records of an apex domain in full, even on a narrow terminal', async () => {
  const value = 'v'.repeat(70);
  const dns = {
    cname: null,
    apex: {
      a: ['192.0.2.1'],
      aaaa: ['2001:db8::1'],
      txt: { name: '_service', value },
      www: { name: 'www', value: 'abc.edge.example.com' },
    },
  };
  await using api = await startFakeApi({
    'POST /v1/domains': { status: 201, body: domainOf({ is_apex: true, dns }) },
  });
  const { stdout } = await runCli(['domains', 'add', 'acme.com'], { env: keyFor(api.url), columns: 40 });
  expect(stdout).toMatch(/A +@ +192\.0\.2\.1/);
  expect(stdout).toContain('2001:db8::1');
  expect(stdout).toContain(value);
  expect(stdout).toMatch(/CNAME +www +abc\.edge\.example\.com/);
});

test('domains update sends the given fields only, and null for fields to clear', async () => {
  await using api = await startFakeApi({ [`PATCH /v1/domains/${ID}`]: { body: domainOf() } });
  const argv = [
    'domains',
    'update',
    ID,
    '--clear-origin',
    '--clear-metadata',
    '--clear-headers',
    '--apex-redirect',
    'www',
  ];
  expect((await runCli(argv, { env: keyFor(api.url) })).exit).toBe(0);
  expect(api.requests[0]?.body).toEqual({
    origin: null,
    metadata: null,
    origin_headers: null,
    apex_redirect: 'www',
  });
});

test('domains verify exits with 6 immediately if it is rate limited, and prints the seconds to wait', async () => {
  const limited = { ...apiError(429, 'rate_limited'), headers: { 'retry-after': '15' } };
  await using api = await startFakeApi({ [`POST /v1/domains/${ID}/verify`]: limited });
  const { exit, stdout, sleptMs } = await runCli(['domains', 'verify', ID, '--json'], {
    env: keyFor(api.url),
  });
  expect({ exit, sleptMs }).toEqual({ exit: 6, sleptMs: 0 });
  expect(JSON.parse(stdout).error.retry_after_s).toBe(15);
});

test('if the app already has the domain, domains add names the command that changes the domain', async () => {
  const message = 'The app has this hostname already. Change them with PATCH /v1/domains/{id}.';
  const domain = domainOf({ hostname: 'a.acme.com' });
  await using api = await startFakeApi({
    'POST /v1/domains': { body: { ...domain, warnings: [{ code: 'existing_domain_unchanged', message }] } },
  });
  const argv = ['domains', 'add', 'a.acme.com', '--origin', 'https://app.acme.com', '--no-color'];
  const { stderr } = await runCli(argv, { env: keyFor(api.url) });
  expect(stderr).toContain('Change them with nameplate domains update a.acme.com --origin ….');
});
