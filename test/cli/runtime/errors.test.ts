import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../../cli/runtime/exit-codes.ts';
import { ERRORS } from '../../../shared/core/errors.ts';
import { apiError, startFakeApi } from '../fake-api.ts';
import { TEST_KEY } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';
import { KEYS, userConfig } from '../settings/config-folders.ts';

const EXITS: Record<keyof typeof ERRORS, number> = {
  invalid_request: 2,
  unauthorized: 4,
  card_required: 7,
  live_keys_need_plan: 7,
  card_declined: 7,
  forbidden: 4,
  account_suspended: 4,
  plan_required: 7,
  not_found: 5,
  idempotency_key_in_use: 1,
  payload_too_large: 2,
  validation_failed: 2,
  idempotency_key_reused: 2,
  invalid_hostname: 2,
  hostname_is_service: 2,
  hostname_is_public_suffix: 2,
  hostname_held: 2,
  domain_limit_reached: 7,
  origin_not_allowed: 2,
  rate_limited: 6,
  internal_error: 1,
  billing_unavailable: 7,
  service_unavailable: 8,
  database_unavailable: 8,
};

// Leaves out the error for a refused key, which has a longer explanation. `explain-api-error.test.ts` tests that error.
test.each(Object.entries(ERRORS).filter(([code]) => code !== 'unauthorized'))(
  'the CLI prints the API error %s with its message, fix and docs, and exits with the exit code of that error',
  async (code, { status }) => {
    const retry = status === 429 ? { headers: { 'retry-after': '14' } } : {};
    await using api = await startFakeApi({ 'GET /v1/apps/current': { ...apiError(status, code), ...retry } });
    const text = await runCli(['apps', 'get'], { env: keyFor(api.url) });
    expect(text.exit, `${code} needs a row of EXIT_CODES in cli/runtime/exit-codes.ts`).toBe(
      EXITS[code as keyof typeof ERRORS],
    );
    expect(text.stdout).toBe('');
    expect(text.stderr).toContain(`Message of ${code}. (${code})`);
    expect(text.stderr).toContain(`Fix of ${code}.`);
    expect(text.stderr).toContain(`https://docs.example.com/errors/${code}`);

    const json = await runCli(['apps', 'get', '--json'], { env: keyFor(api.url) });
    expect(json.exit).toBe(text.exit);
    expect(JSON.parse(json.stdout).error).toEqual({
      code,
      message: `Message of ${code}.`,
      fix: `Fix of ${code}.`,
      docs: `https://docs.example.com/errors/${code}`,
      exit: text.exit,
      status,
      ...(status === 429 && { retry_after_s: 14 }),
    });
  },
);

test('an unknown error code gets the exit code of its HTTP status', async () => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': apiError(403, 'new_rule') });
  expect((await runCli(['apps', 'get'], { env: keyFor(api.url) })).exit).toBe(4);
});

test('the CLI prints the request id and the status detail of an error', async () => {
  const detail = { plan: 'free', used: 3, limit: 3 };
  const answer = apiError(422, 'domain_limit_reached', { status_detail: detail, request_id: 'req_1' });
  await using api = await startFakeApi({ 'POST /v1/domains': answer });
  const { stdout, exit } = await runCli(['domains', 'add', 'a.acme.com', '--json'], { env: keyFor(api.url) });
  expect(exit).toBe(7);
  expect(JSON.parse(stdout).error).toMatchObject({ status_detail: detail, request_id: 'req_1' });
});

test('the CLI exits with 8 if the server is unreachable, in text and in JSON', async () => {
  const gone = await startFakeApi({});
  await gone[Symbol.asyncDispose]();
  const env = keyFor(gone.url);
  const { exit, stderr } = await runCli(['whoami'], { env });
  expect(exit).toBe(8);
  expect(stderr).toContain(`Cannot reach ${gone.url}`);
  const json = await runCli(['whoami', '--json'], { env });
  expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'network_error', exit: 8 });
  expect(JSON.parse(json.stdout).error.fix).toContain('The address comes from NAMEPLATE_BASE_URL.');
});

test('the error for an unreachable server of the stored profile suggests logout', async () => {
  const gone = await startFakeApi({});
  await gone[Symbol.asyncDispose]();
  const XDG_CONFIG_HOME = userConfig({ default: { base_url: gone.url, api_key: KEYS.user } });
  const { exit, stderr } = await runCli(['whoami'], { env: { XDG_CONFIG_HOME } });
  expect(exit).toBe(8);
  expect(stderr).toContain('run nameplate logout to remove the profile "default"');
});

test.each([
  [['domains', 'lst'], 'There is no command "domains lst"'],
  [['bogus'], 'There is no command "bogus"'],
  [['domains', 'list', '--bogus'], 'There is no flag --bogus.'],
  [['domains', 'list', '--limit', '0'], '--limit must be a whole number from 1 to 100.'],
  [['domains', 'list', '--limit', 'ten'], '--limit must be a whole number from 1 to 100.'],
  [['domains', 'list', '--limit'], '--limit needs a value: items per page, 1 to 100.'],
  [['domains', 'list', '--limit', '1', '--limit', '2'], '--limit was given more than once.'],
  [['domains', 'list', '--status', 'happy'], '--status must be pending_dns, '],
  [['completion', 'basic'], 'SHELL must be bash, zsh, fish or powershell, not "basic".'],
  [['domains', 'get'], 'Missing argument DOMAIN: hostnames or ids of the domains.'],
  [['domains', 'open', 'a.acme.com', 'b.acme.com'], 'Too many arguments: "b.acme.com".'],
  [['keys', 'create'], 'Missing flag --name: a label, 1 to 80 characters.'],
  [['domains', 'list', '--all', '--cursor', 'x'], '--cursor and --all cannot be used together.'],
  [['events', 'redeliver', '--failed'], '--failed needs --since.'],
  [['completion'], 'Missing argument SHELL: bash, zsh, fish or powershell.'],
  [['domains', 'get', 'not a host'], 'neither a hostname nor a domain id'],
  [['domains', 'add', 'a.acme.com', '--metadata', 'novalue'], 'needs name=value'],
  [['domains', 'update', 'a.acme.com'], 'Nothing to change'],
  [['domains', 'wait', 'a.acme.com', '--timeout', 'soon'], 'is not a duration'],
  [['domains', 'wait'], 'No domain given'],
  [['events', 'get', '../keys'], 'is not an id'],
  [['events', 'redeliver'], 'Give either event ids'],
  [['keys', 'revoke', '..', '--yes'], 'is not an id'],
  [['--json'], 'Missing command'],
  [['emulator', 'clock', 'advance'], 'Say how far'],
])('the command line %j is a usage error, and exits with 2', async (argv, message) => {
  await using api = await startFakeApi({});
  const text = await runCli(argv, { env: keyFor(api.url) });
  expect(text.exit).toBe(2);
  expect(`${text.stdout}${text.stderr}`).toContain(message.replaceAll('"', text.stdout === '' ? '"' : '\\"'));

  const json = await runCli([...argv, '--json'], { env: keyFor(api.url) });
  expect(json.exit).toBe(2);
  expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'usage', exit: 2 });
  expect(api.requests).toEqual([]);
});

test.each([
  [['domains', 'get'], 'Usage: nameplate domains get DOMAIN...'],
  [['domains', 'open', 'a.acme.com', 'b.acme.com'], 'Usage: nameplate domains open DOMAIN'],
  [['domains', 'list', '--bogus'], 'Add --help to see the flags.'],
  [['domains', 'list', '--limit', '0'], 'Give a number, such as --limit 1.'],
  [['emulator', 'start', '--port', 'x'], 'Give a number, such as --port 4400.'],
  [['domains', 'list', '--limit'], 'Use --limit <n>.'],
  [['domains', 'list', '--csv', '--json'], 'Use one of them.'],
  [['events', 'redeliver', '--failed'], 'Add --since.'],
  [['keys', 'create'], 'Add --name <value>. Add --mode <live|test>.'],
])('the error for the command line %j shows what to write', async (argv, fix) => {
  const { exit, stdout } = await runCli([...argv, '--json']);
  expect(exit).toBe(2);
  expect(JSON.parse(stdout).error.fix).toBe(fix);
});

test('the CLI suggests the right command for a mistyped command', async () => {
  const { stderr } = await runCli(['domans', 'list']);
  expect(stderr).toContain('Did you mean nameplate domains list?');
});

test.each([
  [['apps', 'update', '--webhook-url', 'x'], 'Did you mean --webhook?'],
  [['emulator', 'trigger', 'a.acme.com', 'dns_gon'], 'Did you mean dns_gone?'],
  [['domains', 'list', '--status', 'activ'], 'Did you mean active?'],
  [['help', 'exitcodes'], 'Did you mean nameplate help exit-codes?'],
  [
    ['domains', 'list', '--columns', 'id,hostnam'],
    'Did you mean hostname? The fields are id, hostname, status,',
  ],
  [['domains', 'list', '--columns', 'hostname.x'], '"hostname.x" is not a field.'],
  [['events', 'list', '--columns', 'delivery.statuss'], 'Did you mean delivery.status?'],
  [['keys', 'list', '--columns', 'key'], 'The fields are id, name, mode, prefix'],
])('the error for the command line %j has a suggestion: %s', async (argv, words) => {
  const { exit, stderr } = await runCli(argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(words);
});

test.each([[['npm', 'test']], [['npm', 'test', '--watch']]])(
  'the error for emulator exec %j says to write the command after --',
  async (command) => {
    const { exit, stderr } = await runCli(['emulator', 'exec', ...command]);
    expect(exit).toBe(125);
    expect(stderr).toContain('Put the command after --, as in nameplate emulator exec -- npm test');
  },
);

test.each([
  [['domains', 'list', '--stauts', 'active'], '--status'],
  [['domains', 'list', '--jason'], '--json'],
  [['domains', 'wait', 'a.acme.com', '--time=5m'], '--timeout'],
  [['events', 'list', '--base-ulr', 'x'], '--base-url'],
])('the error for the command line %j suggests the flag %s', async (argv, flag) => {
  const { exit, stderr } = await runCli(argv);
  expect(exit).toBe(2);
  expect(stderr).toContain(`Did you mean ${flag}?\n`);
});

test.each([
  ['apps rotate-secret', 'POST'],
  ['keys revoke key_01k', 'DELETE'],
  ['domains remove dom_01k', 'DELETE'],
])('the command %s is refused without a terminal unless --yes is given', async (line, method) => {
  await using api = await startFakeApi({
    'GET /v1/domains/dom_01k': { body: { id: 'dom_01k', hostname: 'a.acme.com' } },
  });
  const { exit, stderr } = await runCli(line.split(' '), { env: keyFor(api.url) });
  expect(exit).toBe(2);
  expect(stderr).toContain('--yes');
  expect(api.requests.filter((request) => request.method === method)).toEqual([]);
});

test.each([
  ['as a surplus argument', ['domains', 'list', TEST_KEY]],
  ['as an id', ['keys', 'revoke', TEST_KEY]],
  ['as a hostname', ['domains', 'get', TEST_KEY]],
  ['as a value of a flag', ['domains', 'list', '--status', TEST_KEY]],
  ['as a flag', ['domains', 'list', `--${TEST_KEY}`]],
  ['as a command', [TEST_KEY]],
  ['for login', ['login', '--with-key', TEST_KEY]],
])('the CLI never prints a key that was typed %s', async (_, argv) => {
  for (const end of [[], ['--json']]) {
    const { exit, stdout, stderr } = await runCli([...argv, ...end], { env: keyFor('http://127.0.0.1:1') });
    expect(exit).toBe(2);
    expect(stdout + stderr).not.toContain(TEST_KEY.slice(8, 20));
  }
});

test("the CLI does not print a key that the server's message contains", async () => {
  const answer = apiError(403, 'forbidden', {
    message: `Bad key ${TEST_KEY}.`,
    status_detail: { key: TEST_KEY },
  });
  await using api = await startFakeApi({ 'GET /v1/apps/current': answer });
  for (const argv of [
    ['apps', 'get'],
    ['apps', 'get', '--json'],
  ]) {
    const { stdout, stderr } = await runCli(argv, { env: keyFor(api.url) });
    expect(stdout + stderr).toContain('sk_test_…');
    expect(stdout + stderr).not.toContain(TEST_KEY);
  }
});

test('the CLI refuses a key that is not a valid header value, without showing it', async () => {
  const env = keyFor('http://127.0.0.1:1', 'sk_test_abc\ndef');
  const { exit, stdout, stderr } = await runCli(['apps', 'get'], { env });
  expect(exit).not.toBe(0);
  expect(stdout + stderr).not.toContain('abc');
});

test('help exit-codes lists every exit code', async () => {
  const text = await runCli(['help', 'exit-codes']);
  const json = await runCli(['help', 'exit-codes', '--json']);
  expect(JSON.parse(json.stdout).data.map((row: { exit: number }) => row.exit)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130,
  ]);
  for (const { meaning } of EXIT_CODES) expect(text.stdout).toContain(meaning);
});
