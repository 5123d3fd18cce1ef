import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startFakeApi } from './fake-api.ts';
import { appOf, LIVE_KEY, TEST_KEY } from './resources.ts';
import { emptyFolder, keyFor, runCli } from './run-cli.ts';

const KEYS = {
  env: `${TEST_KEY.slice(0, -3)}env`,
  project: `${TEST_KEY.slice(0, -3)}prj`,
  user: `${TEST_KEY.slice(0, -3)}usr`,
  other: `${TEST_KEY.slice(0, -3)}oth`,
};

function appServer() {
  return startFakeApi({ 'GET /v1/apps/current': { body: appOf() } });
}

/** The user's folder with these profiles, as `login` writes them. */
function userConfig(
  profiles: Record<string, { base_url: string; api_key: string }>,
  in_use = 'default',
): string {
  const folder = emptyFolder();
  const lines = Object.entries(profiles).flatMap(([name, profile]) => [
    `[profiles.${name}]`,
    `base_url = "${profile.base_url}"`,
    `api_key = "${profile.api_key}"`,
  ]);
  mkdirSync(path.join(folder, 'nameplate'));
  const file = path.join(folder, 'nameplate', 'config.toml');
  writeFileSync(file, [`profile = "${in_use}"`, ...lines].join('\n'), { mode: 0o600 });
  return folder;
}

function projectConfig(lines: string[]): string {
  const folder = emptyFolder();
  mkdirSync(path.join(folder, '.nameplate'));
  writeFileSync(path.join(folder, '.nameplate', 'config.toml'), lines.join('\n'));
  return folder;
}

test('each source of the key is overruled by the one before it', async () => {
  await using api = await appServer();
  const used = () => api.requests.at(-1)?.headers.authorization;
  const XDG_CONFIG_HOME = userConfig({
    default: { base_url: api.url, api_key: KEYS.user },
    other: { base_url: api.url, api_key: KEYS.other },
  });
  const cwd = projectConfig([`base_url = "${api.url}"`, `api_key = "${KEYS.project}"`]);

  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME } });
  expect(used()).toBe(`Bearer ${KEYS.user}`);
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME }, cwd });
  expect(used()).toBe(`Bearer ${KEYS.project}`);
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME, NAMEPLATE_PROFILE: 'other' }, cwd });
  expect(used()).toBe(`Bearer ${KEYS.other}`);
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME, NAMEPLATE_API_KEY: KEYS.env }, cwd });
  expect(used()).toBe(`Bearer ${KEYS.env}`);
  const env = { XDG_CONFIG_HOME, NAMEPLATE_API_KEY: KEYS.env };
  await runCli(['apps', 'get', '--profile', 'other'], { env, cwd });
  expect(used()).toBe(`Bearer ${KEYS.other}`);
});

test('each source of the address is overruled by the one before it', async () => {
  await using user = await appServer();
  await using project = await appServer();
  await using env = await appServer();
  await using flag = await appServer();
  const XDG_CONFIG_HOME = userConfig({ default: { base_url: user.url, api_key: KEYS.user } });
  const cwd = projectConfig([`base_url = "${project.url}/v1/"`]);
  const NAMEPLATE_API_KEY = KEYS.env;
  const counts = () => [user, project, env, flag].map(({ requests }) => requests.length);

  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME, NAMEPLATE_API_KEY } });
  expect(counts()).toEqual([1, 0, 0, 0]);
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME, NAMEPLATE_API_KEY }, cwd });
  expect(counts()).toEqual([1, 1, 0, 0]);
  const NAMEPLATE_BASE_URL = env.url;
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME, NAMEPLATE_API_KEY, NAMEPLATE_BASE_URL }, cwd });
  expect(counts()).toEqual([1, 1, 1, 0]);
  await runCli(['apps', 'get', '--base-url', flag.url], {
    env: { XDG_CONFIG_HOME, NAMEPLATE_API_KEY, NAMEPLATE_BASE_URL },
    cwd,
  });
  expect(counts()).toEqual([1, 1, 1, 1]);
});

test.each([
  ['a project that names its address', (url: string) => [`base_url = "${url}"`]],
  [
    'a project that names a profile and its address',
    (url: string) => ['profile = "other"', `base_url = "${url}"`],
  ],
])('a stored key is not sent to the address of %s', async (_, lines) => {
  await using own = await appServer();
  await using foreign = await appServer();
  const XDG_CONFIG_HOME = userConfig({
    default: { base_url: own.url, api_key: KEYS.user },
    other: { base_url: own.url, api_key: KEYS.other },
  });
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME }, cwd: projectConfig(lines(foreign.url)) });
  expect(foreign.requests).toEqual([]);
});

test('an address finds the profile that was stored with it', async () => {
  await using first = await appServer();
  await using second = await appServer();
  const XDG_CONFIG_HOME = userConfig({
    default: { base_url: first.url, api_key: KEYS.user },
    other: { base_url: `${second.url}/`, api_key: KEYS.other },
  });
  const env = { XDG_CONFIG_HOME, NAMEPLATE_BASE_URL: second.url };
  const { stdout } = await runCli(['whoami', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ profile: 'other', base_url: second.url });
});

test('without a key, a command says how to get one and ends with 4', async () => {
  const { exit, stderr } = await runCli(['apps', 'get']);
  expect(exit).toBe(4);
  expect(stderr).toContain('nameplate login');
});

test('a profile that does not exist is exit 2', async () => {
  const { exit, stdout } = await runCli(['apps', 'get', '--profile', 'nope', '--json']);
  expect(exit).toBe(2);
  expect(JSON.parse(stdout).error.code).toBe('unknown_profile');
});

test.each(['ftp://a.example', 'nothing', 'https://user:secret@a.example', 'https://a.example/?a=1'])(
  'the address %s is refused',
  async (url) => {
    const { exit, stderr } = await runCli(['apps', 'get', '--base-url', url], {
      env: { NAMEPLATE_API_KEY: TEST_KEY },
    });
    expect(exit).toBe(2);
    expect(stderr).not.toContain('secret');
  },
);

test('a config that is not TOML is told without its text', async () => {
  const folder = userConfig({});
  writeFileSync(path.join(folder, 'nameplate', 'config.toml'), `api_key = "${KEYS.user}`);
  const { exit, stdout, stderr } = await runCli(['apps', 'get', '--json'], {
    env: { XDG_CONFIG_HOME: folder },
  });
  expect(exit).toBe(1);
  expect(stdout).toContain('is not valid TOML');
  expect(stdout + stderr).not.toContain(KEYS.user);
});

test('live mode is announced on stderr, and stdout stays one document', async () => {
  await using api = await appServer();
  const live = await runCli(['apps', 'get', '--json'], { env: keyFor(api.url, LIVE_KEY) });
  expect(live.stderr).toContain(`Live mode: ${api.url}`);
  expect(JSON.parse(live.stdout).name).toBe('Acme');
  expect((await runCli(['apps', 'get'], { env: keyFor(api.url) })).stderr).toBe('');
});

test('login checks a key from stdin and stores it for its owner alone; logout removes it', async () => {
  await using api = await appServer();
  const XDG_CONFIG_HOME = emptyFolder();
  const env = { XDG_CONFIG_HOME };
  const login = await runCli(['login', '--with-key', '-', '--base-url', api.url, '--json'], {
    env,
    stdin: `${TEST_KEY}\n`,
  });
  expect(login.exit).toBe(0);
  expect(JSON.parse(login.stdout)).toMatchObject({ profile: 'default', base_url: api.url, mode: 'test' });
  expect(login.stdout + login.stderr).not.toContain(TEST_KEY);
  expect(statSync(path.join(XDG_CONFIG_HOME, 'nameplate', 'config.toml')).mode & 0o777).toBe(0o600);

  await runCli(['login', '--with-key', '-', '--base-url', api.url, '--profile', 'live'], {
    env,
    stdin: LIVE_KEY,
  });
  const profiles = await runCli(['profiles', 'list', '--json'], { env });
  expect(JSON.parse(profiles.stdout).data).toEqual([
    { name: 'default', base_url: api.url, mode: 'test', in_use: false },
    { name: 'live', base_url: api.url, mode: 'live', in_use: true },
  ]);
  expect((await runCli(['profiles', 'use', 'default'], { env })).exit).toBe(0);
  expect(JSON.parse((await runCli(['whoami', '--json'], { env })).stdout)).toMatchObject({
    profile: 'default',
  });
  expect((await runCli(['profiles', 'remove', 'live'], { env })).exit).toBe(2);
  expect((await runCli(['profiles', 'remove', 'live', '--yes'], { env })).exit).toBe(0);
  expect((await runCli(['logout'], { env })).exit).toBe(0);
  expect((await runCli(['whoami'], { env })).exit).toBe(4);
});

test('login stores nothing that the server refuses', async () => {
  await using api = await startFakeApi({});
  const env = { XDG_CONFIG_HOME: emptyFolder() };
  const login = await runCli(['login', '--with-key', '-', '--base-url', api.url], { env, stdin: TEST_KEY });
  expect(login.exit).toBe(5);
  expect(JSON.parse((await runCli(['profiles', 'list', '--json'], { env })).stdout).data).toEqual([]);
});

test('login without a terminal and without --with-key asks nobody', async () => {
  expect((await runCli(['login'])).exit).toBe(2);
});

test('a config that others can read is warned about', async () => {
  await using api = await appServer();
  const folder = userConfig({ default: { base_url: api.url, api_key: KEYS.user } });
  const file = path.join(folder, 'nameplate', 'config.toml');
  chmodSync(file, 0o644);
  expect((await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME: folder } })).stderr).toContain('chmod 600');
});
