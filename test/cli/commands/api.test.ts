import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver } from '../../conformance/driver.ts';
import { startEmulatorDriver } from '../../conformance/emulator-driver.ts';
import { type CliOptions, emptyFolder, keyFor, runCli } from '../run-cli.ts';

/** Tests `nameplate api` and its flag `--jq` with an emulator. */

let driver: Driver;
beforeAll(async () => {
  driver = await startEmulatorDriver();
});
afterAll(() => driver.close());

const run = (argv: string[], options: CliOptions = {}) =>
  runCli(argv, { ...options, env: { ...keyFor(driver.base_url, driver.test_key), ...options.env } });

test('the api command sends the fields of a POST as a JSON body', async () => {
  const { stdout, exit } = await run(['api', 'post', '/v1/domains', '-f', 'hostname=fields.acme.com']);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hostname: 'fields.acme.com', status: 'pending_dns' });
});

test('the api command sends the fields of a GET in the query', async () => {
  await run(['api', 'POST', '/v1/domains', '-f', 'hostname=query.acme.com']);
  const { stdout } = await run(['api', 'GET', '/v1/domains?limit=5', '-f', 'hostname=query.acme.com']);
  expect(JSON.parse(stdout).data).toMatchObject([{ hostname: 'query.acme.com' }]);
});

test('api --all fetches every page of a list, and refuses any other path', async () => {
  for (const n of [1, 2, 3]) await run(['api', 'POST', '/v1/domains', '-f', `hostname=all-${n}.acme.com`]);
  const { stdout } = await run(['api', 'GET', '/v1/domains?limit=2', '-f', 'hostname=all-', '--all']);
  const { data, next_cursor } = JSON.parse(stdout);
  expect(data.map(({ hostname }: { hostname: string }) => hostname).toSorted()).toEqual(
    [1, 2, 3].map((n) => `all-${n}.acme.com`),
  );
  expect(next_cursor).toBeNull();
  for (const argv of [
    ['GET', '/v1/apps/current'],
    ['POST', '/v1/domains'],
  ]) {
    const refused = await run(['api', ...argv, '--all']);
    expect(refused).toMatchObject({ exit: 2 });
    expect(refused.stderr).toContain('Leave out --all.');
  }
});

test.each(['-', 'body.json'])('api reads the body of a request from --input %s', async (input) => {
  const body = JSON.stringify({ hostname: 'input.acme.com', metadata: { a: 1 } });
  const cwd = emptyFolder();
  writeFileSync(path.join(cwd, 'body.json'), body);
  const { stdout } = await run(['api', 'POST', '/v1/domains', '--input', input], { stdin: body, cwd });
  expect(JSON.parse(stdout)).toMatchObject({ hostname: 'input.acme.com', metadata: { a: 1 } });
});

test('the api command prints nothing for a response without a body', async () => {
  const { stdout: id } = await run([
    'api',
    'POST',
    '/v1/domains',
    '-f',
    'hostname=gone.acme.com',
    '--jq',
    '.id',
  ]);
  const gone = await run(['api', 'DELETE', `/v1/domains/${id.trim()}`]);
  expect(gone).toMatchObject({ exit: 0, stdout: '' });
});

test('the api command, repeated with the same idempotency key, has no second effect', async () => {
  const post = ['api', 'POST', '/v1/keys', '-f', 'name=once', '-f', 'mode=test', '--idempotency-key', 'once'];
  const [first, second] = [await run([...post, '--jq', '.id']), await run([...post, '--jq', '.id'])];
  expect(first.stdout).toMatch(/^key_/);
  expect(second.stdout).toBe(first.stdout);
});

test('the api command does not print the key that it sends, even if the response contains the key', async () => {
  const { stdout } = await run(['api', 'POST', '/v1/domains', '-f', `hostname=${driver.test_key}`]);
  expect(stdout).not.toContain(driver.test_key);
});

test.each([
  ['a method that the API lacks', ['BREW', '/v1/domains'], 'BREW is not a method of the API.'],
  ['a path outside the API', ['GET', '/docs'], '/docs is not a path of the API.'],
  ['a path that leads out of the API', ['GET', '/v1/../docs'], '/v1/../docs is not a path of the API.'],
  ['another host', ['GET', '//evil.test/v1/'], '//evil.test/v1/ is not a path of the API.'],
  ['a field without a value', ['POST', '/v1/domains', '-f', 'hostname'], '--field needs name=value'],
  ['a body that is not JSON', ['POST', '/v1/domains', '--input', '-'], 'stdin is not JSON'],
])('the api command refuses %s', async (_what, argv, message) => {
  const { exit, stderr } = await run(['api', ...argv], { stdin: '{' });
  expect(stderr).toContain(message);
  expect(exit).toBe(2);
});

test("api exits with the exit code of the API's error", async () => {
  expect((await run(['api', 'GET', '/v1/domains/dom_1'])).exit).toBe(5);
});

test("the export of the emulator's state shows no control character on a terminal, and is still valid JSON", async () => {
  const name = 'a\u009b2J\u202eb';
  await run(['api', 'PATCH', '/v1/apps/current', '-f', `name=${name}`]);
  const argv = ['emulator', 'export', '--base-url', driver.base_url];
  const piped = await run(argv);
  const shown = await run(argv, { columns: 80 });
  expect(shown.stdout).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(piped.stdout));
  expect(piped.stdout).toContain(name);
  await run(['api', 'PATCH', '/v1/apps/current', '-f', 'name=Acme']);
});

test('--jq applies a jq program to the result of every command', async () => {
  await run(['domains', 'add', 'jq.acme.com']);
  const { stdout } = await run([
    'domains',
    'list',
    '--jq',
    '.data[] | select(.hostname == "jq.acme.com") | .status',
  ]);
  expect(stdout).toBe('pending_dns\n');
  expect((await run(['whoami', '--jq=.mode'])).stdout).toBe('test\n');
  expect((await run(['whoami', '--json', '--jq', '.mode'])).stdout).toBe('test\n');
});

test('the output of a jq program is exact in a pipe, and contains no control characters from the server on a terminal', async () => {
  const metadata = '{"a":"red\\u001b[2J","b":"\\u202ehidden"}';
  const body = `{"hostname":"escape.acme.com","metadata":${metadata}}`;
  const argv = ['api', 'POST', '/v1/domains', '--input', '-', '--jq', '.metadata | [.a,.b] | @tsv'];
  expect((await run(argv, { stdin: body })).stdout).toBe('red\u001b[2J\t\u202ehidden\n');
  const shown = await run(argv, { stdin: body, columns: 80 });
  expect(shown.stdout).toBe('red\\u001b[2J\t\\u202ehidden\n');
});

test.each([
  ['does not parse', ['domains', 'list', '--jq', '.data['], '--jq: syntax error'],
  ['fails on the result', ['domains', 'list', '--jq', '.data.x'], '--jq: Cannot index array'],
  ['is for a stream', ['events', 'tail', '--jq', '.'], '--jq needs a command that ends.'],
])('the api command refuses a jq program that %s', async (_what, argv, message) => {
  const { exit, stdout, stderr } = await run(argv);
  expect(stdout + stderr).toContain(message);
  expect(exit).toBe(2);
});

test('every group of commands accepts ls for list, and rm for remove or revoke', async () => {
  await run(['domains', 'add', 'short.acme.com']);
  expect((await run(['domains', 'ls', '--jq', '.data[].hostname'])).stdout).toContain('short.acme.com');
  expect((await run(['domains', 'rm', 'short.acme.com', '--yes'])).exit).toBe(0);
  const { stdout: id } = await run([
    'api',
    'POST',
    '/v1/keys',
    '-f',
    'name=rm',
    '-f',
    'mode=test',
    '--jq',
    '.id',
  ]);
  expect((await run(['keys', 'rm', id.trim(), '--yes'])).exit).toBe(0);
});
