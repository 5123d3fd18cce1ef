import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resolveSettings } from '../../../cli/settings/settings.ts';
import { systemWorld } from '../../../cli/settings/world.ts';
import { LIVE_KEY, TEST_KEY } from '../resources.ts';
import { emptyFolder, keyFor, runCli } from '../run-cli.ts';
import { appServer, KEYS, projectConfig, userConfig } from './config-folders.ts';

test('the CLI takes the key from --profile, then the environment, then the project, then the stored profile', async () => {
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

test('the CLI takes the address from --base-url, then the environment, then the project, then the stored profile', async () => {
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
])('the CLI sends no stored key to the address of %s', async (_, lines) => {
  await using own = await appServer();
  await using foreign = await appServer();
  const XDG_CONFIG_HOME = userConfig({
    default: { base_url: own.url, api_key: KEYS.user },
    other: { base_url: own.url, api_key: KEYS.other },
  });
  await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME }, cwd: projectConfig(lines(foreign.url)) });
  expect(foreign.requests).toEqual([]);
});

const TEAM = 'https://api.team.invalid';

function settingsIn(folder: { user?: string; project: string[]; env?: Record<string, string> }, flags = {}) {
  const XDG_CONFIG_HOME = folder.user ?? emptyFolder();
  const env = { XDG_CONFIG_HOME, NAMEPLATE_STATE_DIR: emptyFolder(), ...folder.env };
  return resolveSettings(flags, { ...systemWorld(), env, cwd: projectConfig(folder.project) });
}

test('the CLI sends no key from the environment to a server that only the project names', async () => {
  const cwd = projectConfig([`base_url = "${TEAM}"`]);
  const { exit, stdout } = await runCli(['whoami', '--json'], { env: { NAMEPLATE_API_KEY: KEYS.env }, cwd });
  expect(exit).toBe(2);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: 'untrusted_address',
    message: expect.stringContaining(TEAM),
    fix: expect.stringContaining(`--base-url ${TEAM}`),
  });
});

test('the CLI sends no key from the environment if the project names a stored profile or its address', async () => {
  const user = userConfig({ team: { base_url: TEAM, api_key: KEYS.other } });
  const env = { NAMEPLATE_API_KEY: KEYS.env };
  for (const project of [['profile = "team"'], [`base_url = "${TEAM}"`]]) {
    await expect(settingsIn({ user, project, env })).rejects.toMatchObject({ code: 'untrusted_address' });
  }
});

test.each([
  ['its own key', [`base_url = "${TEAM}"`, `api_key = "${KEYS.project}"`], KEYS.project],
  ['the key that is stored for it', [`base_url = "${TEAM}/v1/"`], KEYS.other],
  ['the stored profile that it names', ['profile = "team"'], KEYS.other],
  ['the profile and its address', ['profile = "team"', `base_url = "${TEAM}"`], KEYS.other],
])("the CLI uses a project's address with %s", async (_, project, apiKey) => {
  const user = userConfig({
    default: { base_url: 'https://own.invalid', api_key: KEYS.user },
    team: { base_url: TEAM, api_key: KEYS.other },
  });
  expect(await settingsIn({ user, project })).toMatchObject({ baseUrl: TEAM, apiKey });
});

test('the CLI sends the key from the environment to an address that the user names', async () => {
  const project = [`base_url = "${TEAM}"`];
  const env = { NAMEPLATE_API_KEY: KEYS.env };
  const found = { baseUrl: TEAM, apiKey: KEYS.env };
  expect(await settingsIn({ project, env }, { 'base-url': TEAM })).toMatchObject(found);
  expect(await settingsIn({ project, env: { ...env, NAMEPLATE_BASE_URL: TEAM } })).toMatchObject(found);
});

test('the CLI uses the profile that was stored for the address that the user names', async () => {
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

test('without a key, the CLI exits with 4 and explains how to get a key', async () => {
  const { exit, stderr } = await runCli(['apps', 'get']);
  expect(exit).toBe(4);
  expect(stderr).toContain('nameplate login');
});

test('the CLI exits with 2 for an unknown profile', async () => {
  const { exit, stdout } = await runCli(['apps', 'get', '--profile', 'nope', '--json']);
  expect(exit).toBe(2);
  expect(JSON.parse(stdout).error.code).toBe('unknown_profile');
});

test.each(['ftp://a.example', 'nothing', 'https://user:secret@a.example', 'https://a.example/?a=1'])(
  'the CLI refuses the address %s',
  async (url) => {
    const { exit, stderr } = await runCli(['apps', 'get', '--base-url', url], {
      env: { NAMEPLATE_API_KEY: TEST_KEY },
    });
    expect(exit).toBe(2);
    expect(stderr).not.toContain('secret');
  },
);

test('the error for an invalid config contains no text of the config', async () => {
  const folder = userConfig({});
  writeFileSync(path.join(folder, 'nameplate', 'config.toml'), `api_key = "${KEYS.user}`);
  const { exit, stdout, stderr } = await runCli(['apps', 'get', '--json'], {
    env: { XDG_CONFIG_HOME: folder },
  });
  expect(exit).toBe(1);
  expect(stdout).toContain('is not valid TOML');
  expect(stdout + stderr).not.toContain(KEYS.user);
});

test('the CLI announces live mode on stderr, so that stdout contains only the document', async () => {
  await using api = await appServer();
  const live = await runCli(['apps', 'get', '--json'], { env: keyFor(api.url, LIVE_KEY) });
  expect(live.stderr).toContain(`Live mode: ${api.url}`);
  expect(JSON.parse(live.stdout).name).toBe('Acme');
  expect((await runCli(['apps', 'get'], { env: keyFor(api.url) })).stderr).toBe('');
});

test('the CLI warns about a config that other users can read', async () => {
  await using api = await appServer();
  const folder = userConfig({ default: { base_url: api.url, api_key: KEYS.user } });
  const file = path.join(folder, 'nameplate', 'config.toml');
  chmodSync(file, 0o644);
  expect((await runCli(['apps', 'get'], { env: { XDG_CONFIG_HOME: folder } })).stderr).toContain('chmod 600');
});
