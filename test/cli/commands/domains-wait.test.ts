import { expect, test } from 'vitest';
import { apiError, startFakeApi } from '../fake-api.ts';
import { domainOf, LIVE_KEY } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const ID = domainOf().id;

test('domains add --wait prints the active domain, or fails with the exit code of domains wait', async () => {
  const created = { status: 201, body: domainOf() };
  await using api = await startFakeApi({
    'POST /v1/domains': created,
    [`GET /v1/domains/${ID}`]: [created, { body: domainOf({ status: 'active' }) }],
  });
  const argv = ['domains', 'add', 'careers.acme.com', '--wait'];
  const json = await runCli([...argv, '--json'], { env: keyFor(api.url) });
  expect({ exit: json.exit, status: JSON.parse(json.stdout).status }).toEqual({ exit: 0, status: 'active' });
  const text = await runCli(argv, { env: keyFor(api.url) });
  expect(text.stderr).toContain('Records to create:');
  expect(text.stdout).toMatch(/^hostname +careers\.acme\.com\n/);

  const detail = { expected: 'x', found: 'y', hint: 'Correct the record.' };
  const failed = domainOf({ status: 'cert_failed', status_reason: 'caa_forbids', status_detail: detail });
  await using failing = await startFakeApi({
    'POST /v1/domains': created,
    [`GET /v1/domains/${ID}`]: { body: failed },
  });
  const { exit, stdout } = await runCli([...argv, '--json'], { env: keyFor(failing.url) });
  expect(exit).toBe(9);
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'domain_failed', fix: 'Correct the record.' });
});

test('domains wait ends once every domain has the wanted status, and reports each change', async () => {
  const states = ['pending_dns', 'verifying', 'verifying', 'active'].map((status) => ({
    body: domainOf({ status }),
  }));
  await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: states });
  const { exit, stdout, stderr, sleptMs } = await runCli(['domains', 'wait', ID, '--json'], {
    env: keyFor(api.url),
  });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).data[0].status).toBe('active');
  expect(stderr.match(/->/g)).toHaveLength(2);
  expect(sleptMs).toBe(3_000);
});

test.each(['cert_failed', 'expired', 'held'])(
  'domains wait exits with 9 immediately if the domain is %s',
  async (status) => {
    await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: { body: domainOf({ status }) } });
    const { exit, stdout, stderr, sleptMs } = await runCli(['domains', 'wait', ID, '--json'], {
      env: keyFor(api.url),
    });
    expect({ exit, sleptMs }).toEqual({ exit: 9, sleptMs: 0 });
    expect(stderr).not.toContain('waiting for');
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'domain_failed', exit: 9 });
  },
);

test.each([
  ['careers.acme.com', 'dns_broken'],
  ['dns-record-missing.acme.com', 'pending_dns'],
] as const)(
  'wait stops at once for the test domain %s in %s and names the trigger that it needs',
  async (hostname, status) => {
    const body = domainOf({ hostname, status, status_reason: 'dns_record_missing', mode: 'test' });
    await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: { body } });
    const { exit, stdout, sleptMs } = await runCli(['domains', 'wait', ID, '--json'], {
      env: keyFor(api.url),
    });
    expect({ exit, sleptMs }).toEqual({ exit: 9, sleptMs: 0 });
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: 'domain_failed', status_detail: { domains: [body] } });
    expect(error.fix).toContain(`nameplate emulator trigger ${hostname} dns_confirmed`);
  },
);

test.each([
  ['careers.acme.com', 'pending_dns', 'test'],
  ['dns-flapping.acme.com', 'dns_broken', 'test'],
  ['careers.acme.com', 'dns_broken', 'live'],
] as const)('wait keeps waiting for %s in %s (%s mode)', async (hostname, status, mode) => {
  const body = domainOf({ hostname, status, mode });
  await using api = await startFakeApi({
    [`GET /v1/domains/${ID}`]: [{ body }, { body: { ...body, status: 'active' } }],
  });
  const { exit } = await runCli(['domains', 'wait', ID], { env: keyFor(api.url) });
  expect(exit).toBe(0);
});

test.each([
  ['dns_broken', 'careers.acme.com', 'active'],
  ['deleted', 'careers.acme.com', 'active'],
  ['expired', 'dns-record-missing.acme.com', 'pending_dns'],
  ['deleted', 'dns-record-missing.acme.com', 'pending_dns'],
] as const)('wait --for %s keeps waiting for the test domain %s in %s', async (target, hostname, status) => {
  const body = domainOf({ hostname, status, mode: 'test' });
  const reached = target === 'deleted' ? apiError(404, 'not_found') : { body: { ...body, status: target } };
  await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: [{ body }, { body }, reached] });
  const { exit } = await runCli(['domains', 'wait', ID, '--for', target], { env: keyFor(api.url) });
  expect(exit).toBe(0);
});

test.each([
  ['has its certificate', { ready_to_switch: true }],
  ['has moved meanwhile', { status: 'active', ready_to_switch: false }],
])('domains wait --for ready_to_switch ends when the domain %s', async (_, reached) => {
  const body = domainOf({ mode: 'live' });
  await using api = await startFakeApi({
    [`GET /v1/domains/${ID}`]: [{ body }, { body }, { body: { ...body, ...reached } }],
  });
  const argv = ['domains', 'wait', ID, '--for', 'ready_to_switch'];
  const { exit, sleptMs } = await runCli(argv, { env: keyFor(api.url, LIVE_KEY) });
  expect({ exit, sleptMs }).toEqual({ exit: 0, sleptMs: 2_000 });
});

test('domains wait exits with 0 if the domain gets the failed status that --for names', async () => {
  await using api = await startFakeApi({
    [`GET /v1/domains/${ID}`]: { body: domainOf({ status: 'cert_failed' }) },
  });
  expect((await runCli(['domains', 'wait', ID, '--for', 'cert_failed'], { env: keyFor(api.url) })).exit).toBe(
    0,
  );
});

test('domains wait exits with 9 if the domain is deleted in the meantime', async () => {
  await using api = await startFakeApi({
    [`GET /v1/domains/${ID}`]: [{ body: domainOf() }, apiError(404, 'not_found')],
  });
  expect((await runCli(['domains', 'wait', ID], { env: keyFor(api.url) })).exit).toBe(9);
});

test('domains wait exits with 3 after its timeout', async () => {
  await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: { body: domainOf() } });
  const { exit, stdout, sleptMs } = await runCli(['domains', 'wait', ID, '--timeout', '4500ms', '--json'], {
    env: keyFor(api.url),
  });
  expect({ exit, sleptMs }).toEqual({ exit: 3, sleptMs: 4_500 });
  expect(JSON.parse(stdout).error).toMatchObject({ code: 'wait_ran_out', exit: 3 });
});

test('domains wait retries a lost connection until its timeout', async () => {
  const domain = { body: domainOf() };
  const lost = { hangUp: true };
  const path = `GET /v1/domains/${ID}`;
  await using api = await startFakeApi({
    [path]: [domain, lost, lost, lost, { body: domainOf({ status: 'active' }) }],
  });
  const { exit, stderr } = await runCli(['domains', 'wait', ID], { env: keyFor(api.url) });
  expect(exit).toBe(0);
  expect(stderr).toContain('Retrying until the timeout.');
  await using gone = await startFakeApi({ [path]: [domain, lost] });
  expect((await runCli(['domains', 'wait', ID, '--timeout', '20s'], { env: keyFor(gone.url) })).exit).toBe(8);
});

test('without a terminal, domains wait prints the hint below each change of status', async () => {
  const statusDetail = { expected: 'x', found: null, hint: 'Add the record.' };
  await using api = await startFakeApi({
    [`GET /v1/domains/${ID}`]: [
      { body: domainOf({ status_detail: statusDetail }) },
      { body: domainOf({ status: 'active' }) },
    ],
  });
  const { stderr } = await runCli(['domains', 'wait', ID], { env: keyFor(api.url) });
  expect(stderr).toContain('(dns_record_missing)\n  waiting for the DNS records\n  Add the record.\n');
  expect(stderr).not.toContain('\x1b');
});
