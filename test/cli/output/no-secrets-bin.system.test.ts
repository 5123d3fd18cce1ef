import { type Dirent, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { ALL_COMMANDS } from '../../../bin/main.ts';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { appOf, TEST_KEY } from '../resources.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';
import { atOnce } from '../settings/at-once.ts';

/** Checks that no key is in the output and files of the built binary after a crash, with debug output, or with a key in the wrong place. */
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
const PASSWORD = 'hunter2hunter2';
const SECRETS = [TEST_KEY.slice(8), SIGNING_SECRET.slice(6), ENCRYPTION_KEY, PASSWORD];

// These tests start many processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SERVICE = Object.keys(ALL_COMMANDS).filter((id) => id.startsWith('service:'));

function secretEnv(url = 'http://127.0.0.1:1'): Record<string, string> {
  return {
    ...emptyHome(),
    ...keyFor(url),
    DEBUG: '*',
    NAMEPLATE_WEBHOOK_SECRET: SIGNING_SECRET,
    NAMEPLATE_ENCRYPTION_KEYS: `k1:${ENCRYPTION_KEY}`,
    DATABASE_URL: `postgres://ada:${PASSWORD}@127.0.0.1:1/nameplate`,
  };
}

/** Runs the binary, and checks that its output and its files contain no secret. */
async function run(argv: string[], env: Record<string, string>, stdin?: string) {
  const { exit, stdout, stderr } = await runBin(argv, env, emptyFolder(), stdin);
  expectNoSecret(stdout + stderr);
  expectNoneLeft(env['HOME'] ?? '');
  return { exit, stdout, stderr };
}

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

/** Expects that no file in the home folder contains a secret, except the profiles, which only their owner can read. */
function expectNoneLeft(home: string): void {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true }).filter(isFile)) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.name === 'config.toml') expect(statSync(file).mode & 0o777).toBe(0o600);
    else expectNoSecret(readFileSync(file, 'latin1'));
  }
}

function isFile(entry: Dirent): boolean {
  return entry.isFile();
}

test('no command shows a key that was given in the wrong place, even with --debug and DEBUG', async () => {
  const wrong = [TEST_KEY, '--debug', `--${TEST_KEY}`, '--profile', TEST_KEY, SIGNING_SECRET];
  const exits = await atOnce(4, Object.keys(ALL_COMMANDS), async (id) => {
    const { exit } = await run([...id.split(':'), ...wrong], secretEnv());
    return { id, exit };
  });
  const ends = (id: string) => (id === 'emulator:exec' ? 125 : 2);
  expect(exits).toEqual(Object.keys(ALL_COMMANDS).map((id) => ({ id, exit: ends(id) })));
});

test('the error for an invalid profile file shows none of its content', async () => {
  const env = secretEnv();
  const folder = path.join(env['XDG_CONFIG_HOME'] ?? '', 'nameplate');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'config.toml'), `[profiles.default\napi_key = "${TEST_KEY}\n`, {
    mode: 0o600,
  });
  for (const argv of [['whoami'], ['whoami', '--json'], ['profiles', 'list'], ['doctor']]) {
    const { exit, stdout, stderr } = await run(argv, env);
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain('is not valid TOML');
  }
});

test('login writes the key only to the profile file, and logout removes it', async () => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body: appOf() } });
  const env: Record<string, string> = { ...secretEnv(api.url), NAMEPLATE_API_KEY: '' };
  const profile = path.join(env['XDG_CONFIG_HOME'] ?? '', 'nameplate', 'config.toml');
  expect((await run(['login', '--with-key', '-'], env, TEST_KEY)).exit).toBe(0);
  expect(readFileSync(profile, 'utf8')).toContain(TEST_KEY);
  expect((await run(['whoami'], env)).exit).toBe(0);
  expect((await run(['logout'], env)).exit).toBe(0);
  expect(readFileSync(profile, 'utf8')).not.toContain(TEST_KEY);
});

/** Code that creates an error that contains the request, as the errors of many libraries do. */
const CARRIED = `Object.assign(new Error('It broke: ' + process.env.NAMEPLATE_API_KEY), {
  request: { headers: { authorization: 'Bearer ' + process.env.NAMEPLATE_API_KEY } },
})`;
const CRASHES: Readonly<Record<string, string>> = {
  'thrown by a request': `process.getBuiltinModule('node:http').request = () => { throw ${CARRIED} };`,
  'thrown in a timer': `setTimeout(() => { throw ${CARRIED} }, 1);`,
  'an unhandled rejection': `setTimeout(() => void Promise.reject(${CARRIED}), 1);`,
};

test.each(Object.entries(CRASHES))('a crash of the CLI (%s) prints no key', async (_, code) => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body: appOf(), delay_ms: 1_000 } });
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  for (const end of [[], ['--json']]) {
    const { exit, stdout, stderr } = await run(['whoami', ...end], { ...secretEnv(api.url), NODE_OPTIONS });
    expect([1, 8]).toContain(exit);
    if (end.length > 0) expect(JSON.parse(stdout).error.exit).toBe(exit);
    else expect(stderr).toMatch(/^Error: .*\n {2}Fix: /m);
  }
});

test('the CLI ends without an error if the reader closes the pipe', async () => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': { body: appOf(), delay_ms: 100 } });
  const env: Record<string, string> = { ...secretEnv(api.url), DEBUG: '' };
  await using bin = startBin(['whoami', '--json'], env);
  bin.child.stdout?.destroy();
  await bin.ended;
  expect(bin.stderr()).toBe('');
  expectNoneLeft(env['HOME'] ?? '');
});

/** Starts a server that refuses clients as Postgres does. Its response repeats everything that the client sent. */
async function startRefusingDatabase() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (told) => {
      if (told.length === 8) return void socket.write('N');
      const fields = `SFATAL\0C28P01\0Mno ${TEST_KEY} ${SIGNING_SECRET}\0\0`;
      const head = Buffer.from([0x45, 0, 0, 0, 0]);
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, Buffer.from(fields)]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

/** The settings that the operator commands need. */
const OPERATORS: Readonly<Record<string, string[]>> = {
  'service:accounts:create': ['Acme'],
  'service:accounts:get': ['acc_1'],
  'service:accounts:resume': ['acc_1'],
  'service:accounts:suspend': ['acc_1'],
  'service:accounts:update': ['acc_1', '--plan', 'growth'],
  'service:apps:create': ['acc_1', 'Shop'],
  'service:billing:replay': ['evt_1'],
  'service:billing:sync': ['acc_1'],
  'service:certificates:reissue': ['dom_1'],
  'service:certificates:revoke': ['dom_1'],
  'service:certificates:show': ['dom_1'],
  'service:edges:drain': ['edge-1'],
  'service:edges:undrain': ['edge-1'],
  'service:holds:create': ['held.acme.com'],
  'service:holds:release': ['held.acme.com'],
  'service:jobs:retry': ['prune', 'all'],
  'service:keys:create': ['acc_1', '--mode', 'test'],
  'service:keys:list': ['acc_1'],
  'service:keys:revoke': ['acc_1', 'key_1'],
  'service:members:add': ['acc_1', 'ada@example.com'],
  'service:members:list': ['acc_1'],
  'service:members:remove': ['acc_1', 'ada@example.com'],
  'service:replica:inspect': ['careers.acme.com'],
  'service:sign-in': ['ada@example.com'],
};

/** Commands that succeed without a database. */
const WITHOUT_DATABASE = ['service:domain-connect:templates', 'service:edge-keys:export'];

test('the export of the edge keys shows neither an encryption key nor the database password', async () => {
  const { exit, stdout } = await run(['service', 'edge-keys', 'export', '--json'], secretEnv());
  expect([exit, JSON.parse(stdout).current]).toEqual([0, 'derived-k1']);
});

test('the operator commands show neither a key nor the database password', async () => {
  await using refusing = await startRefusingDatabase();
  const refused = `postgres://ada:${PASSWORD}@127.0.0.1:${refusing.port}/nameplate`;
  const asking = SERVICE.filter((id) => !WITHOUT_DATABASE.includes(id));
  const found = await atOnce(4, asking, async (id) => {
    const argv = [...id.split(':'), ...(OPERATORS[id] ?? [])];
    const dead = await run(argv, secretEnv());
    const json = await run([...argv, '--json'], { ...secretEnv(), DATABASE_URL: refused });
    return { id, dead: dead.exit, failed: json.exit !== 0, is_document: 'error' in JSON.parse(json.stdout) };
  });
  // There is no replica on this machine, which is no fault of the database.
  const exitOf = (id: string) => (id === 'service:replica:inspect' ? 5 : 8);
  expect(found).toEqual(asking.map((id) => ({ id, dead: exitOf(id), failed: true, is_document: true })));
});
