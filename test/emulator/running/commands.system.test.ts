import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmulator } from '../../../emulator/start.ts';
import { emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from './emulator-under-test.ts';
import { runEmulatorCommand } from './run-emulator-command.ts';

let underTest: EmulatorUnderTest;
let cwd: string;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
  cwd = emptyFolder();
});
afterEach(() => underTest[Symbol.asyncDispose]());

/** Runs a command against the emulator under test. */
function command(...argv: string[]) {
  return runEmulatorCommand([...argv, '--base-url', underTest.emulator.url], cwd);
}

async function json(...argv: string[]) {
  const { exit, stdout } = await command(...argv, '--json');
  return { exit, document: JSON.parse(stdout) };
}

test('emulator stop ends the emulator at --base-url, and confirms once it has ended', async () => {
  const other = await startEmulator();
  const { exit, stdout } = await runEmulatorCommand(['stop', '--base-url', other.url]);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: `Stopped the emulator at ${other.url}.\n` });
  await expect(fetch(other.url)).rejects.toThrow();
  expect((await runEmulatorCommand(['stop', '--base-url', other.url])).exit).toBe(8);
  expect((await runEmulatorCommand(['stop'])).stderr).toContain('No emulator is running');
});

test('emulator trigger prints the domain in the same form as other commands', async () => {
  await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  const { exit, stdout } = await command('trigger', 'careers.acme.com', 'dns_seen');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^hostname +careers\.acme\.com$/m);
  expect(stdout).toMatch(/^status +verifying$/m);
  expect(stdout).not.toContain('{');
});

test('emulator expect ends when the expected event or status occurs, and shows that event or status', async () => {
  await using receiver = await startReceiver();
  await underTest.api('PATCH /apps/current', { webhook_url: receiver.url });
  await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  await underTest.emulator.clock.untilIdle();
  const met = await command('expect', 'domain.active host=careers.acme.com delivered', '--within', '30s');
  expect(met).toEqual({
    exit: 0,
    stdout: 'domain.active for careers.acme.com: delivered after 1 attempt (last: 200).\n',
    stderr: '',
  });
  expect((await json('expect', 'active')).document).toMatchObject({ status: 'active' });
});

test('emulator expect exits with 3 after a timeout, and with 2 for invalid words', async () => {
  await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  const { exit, stderr } = await command('expect', 'active host=careers.acme.com', '--within', '20ms');
  expect(exit).toBe(3);
  expect(stderr).toContain('The nearest match is careers.acme.com is pending_dns.');
  expect((await command('expect', 'domain.alive')).exit).toBe(2);
  expect((await command('expect', 'domain.active', '--within', 'soon')).exit).toBe(2);
});

test('emulator chaos sets, shows and ends faults', async () => {
  const set = await json(
    'chaos',
    '--preset',
    'hostile',
    '--duplicate',
    '0.5',
    '--type',
    'domain.active',
    '--seed',
    '7',
  );
  expect(set.document).toMatchObject({ duplicate: 0.5, types: ['domain.active'], seed: 7, fail: 0.15 });
  expect((await json('chaos')).document).toEqual(set.document);
  const api = await json('chaos', '--rate-limited', '0.2', '--slow', '1', '--api-delay', '3s', '--skew=-10m');
  expect(api.document).toMatchObject({
    skew_ms: -600_000,
    duplicate: 0,
    api: { rate_limited: 0.2, slow: 1, delay_ms: 3000 },
  });
  expect((await json('chaos', '--off')).document).toMatchObject({ skew_ms: 0, api: { slow: 0 } });
  for (const wrong of [
    ['--fail', '2'],
    ['--fail', 'often'],
    ['--off', '--slow', '1'],
    ['--type', 'x'],
    ['--skew', 'x'],
  ])
    expect([wrong, (await command('chaos', ...wrong)).exit]).toEqual([wrong, 2]);
});

test('emulator seed applies a file, and reports the line of a mistake, whether the command or the emulator finds it', async () => {
  const file = path.join(cwd, 'seed.yaml');
  writeFileSync(
    file,
    'apps: [{ name: Staging }]\ndomains: [{ hostname: careers.acme.com, status: active }]\n',
  );
  const applied = await command('seed', 'seed.yaml');
  expect(applied.stdout).toContain('Applied seed.yaml: 1 domain, 0 events.');
  expect(applied.stdout).toMatch(/Staging +sk_test_/);
  expect((await underTest.api('GET /domains')).body.data).toMatchObject([{ status: 'active' }]);
  writeFileSync(file, 'domains:\n  - hostname: a.acme.com\n    stat: active\n');
  const slip = await command('seed', 'seed.yaml');
  expect(slip.exit).toBe(2);
  expect(slip.stderr).toContain('seed.yaml:3: domains[0].stat: unknown key');
  // Only the emulator can find the mistake in this seed: an app that does not exist.
  writeFileSync(file, 'domains:\n  - hostname: a.acme.com\n    app: Nobody\n');
  const unknown = await command('seed', 'seed.yaml');
  expect(unknown.exit).toBe(2);
  expect(unknown.stderr).toContain('seed.yaml:3: domains[0].app: there is no app "Nobody"');
  const missing = await command('seed', 'missing.yaml');
  expect(missing).toMatchObject({ exit: 2, stderr: expect.stringContaining('Check that the file exists') });
});

test('emulator start and exec refuse an invalid seed before they open anything', async () => {
  writeFileSync(path.join(cwd, 'seed.yaml'), 'account:\n  plan: huge\n');
  for (const [argv, exit] of [
    [['start', '--port', '0', '--ephemeral', '--seed', 'seed.yaml'], 2],
    [['exec', '--seed', 'seed.yaml', '--', 'true'], 125],
  ] as const) {
    const ran = await runEmulatorCommand([...argv], cwd);
    expect({ argv, exit: ran.exit }).toEqual({ argv, exit });
    expect(ran.stderr).toMatch(/seed\.yaml:2: account\.plan: /);
  }
});

test('emulator clock reports its progress during a long move', async () => {
  await using receiver = await startReceiver(
    () => new Promise((resolve) => setTimeout(() => resolve(200), 200)),
  );
  await underTest.api('PATCH /apps/current', { webhook_url: receiver.url });
  await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  const { exit, stdout, stderr } = await command('clock', 'advance', '72h');
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^The clock is at \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ after \d+ steps\.$/m);
  expect(stdout).toMatch(/^The clock is at .* \(\w+\)\.\nDone: .*3 domain steps.* webhooks?/m);
});

test('only the owner can read the file of emulator export, and emulator import restores the state from the file', async () => {
  await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  expect((await command('export', 'state.json')).exit).toBe(0);
  if (process.platform !== 'win32') expect(statSync(path.join(cwd, 'state.json')).mode & 0o777).toBe(0o600);
  await underTest.emulator.reset();
  expect((await command('import', 'state.json')).exit).toBe(2);
  expect((await command('import', 'state.json', '--yes')).exit).toBe(0);
  expect((await underTest.api('GET /domains')).body.data).toMatchObject([{ hostname: 'careers.acme.com' }]);
  writeFileSync(path.join(cwd, 'state.json'), 'no json');
  expect((await command('import', 'state.json', '--yes')).exit).toBe(2);
});

test('the emulator logs an unreachable origin in one line without a stack', async () => {
  await using bin = startBin(
    ['emulator', 'start', '--port', '0', '--ephemeral', '--clock', 'auto'],
    emptyHome(),
  );
  const [, url = ''] = await bin.untilStdout(/ready at (\S+)/);
  const [, edge = ''] = await bin.untilStdout(/edge +(http:[^\s,]+)/);
  const [, key = ''] = await bin.untilStdout(/test key +(\S+)/);
  await bin.untilStdout(/curl/);
  const call = (method: string, where: string, body: object) =>
    fetch(url + where, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await call('PATCH', '/v1/apps/current', { origin_url: 'http://127.0.0.1:1' });
  await call('POST', '/v1/domains', { hostname: 'careers.acme.com' });
  await call('POST', '/_emulator/expect', { expect: 'active' });
  const { hostname, port } = new URL(edge);
  const visitor = await import('node:http');
  const status = await new Promise((resolve) =>
    visitor.get({ hostname, port, headers: { host: 'careers.acme.com' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }),
  );
  expect(status).toBe(502);
  await expect.poll(() => bin.stderr()).toContain('the edge could not forward a request');
  expect(bin.stderr()).not.toMatch(/\n\s+at /);
  expect(bin.stderr().trim().split('\n')).toHaveLength(1);
});

test('the emulator reports at its next start that the clock was moved', async () => {
  const file = path.join(cwd, 'state.db');
  {
    await using emulator = await startEmulator({ file, clock: 'frozen' });
    await emulator.clock.advance('72h');
  }
  await using bin = startBin(['emulator', 'start', '--port', '0', '--file', file], emptyHome());
  const [line] = await bin.untilStdout(/clock +.*/);
  expect(line).toMatch(/^clock +frozen, at \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ, [23] d ahead of this machine$/);
});
