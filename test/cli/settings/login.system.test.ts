import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyHome, runBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { LIVE_KEY, TEST_KEY } from '../resources.ts';
import { emptyFolder, runCli } from '../run-cli.ts';
import { appServer, KEYS, projectConfig, userConfig } from './config-folders.ts';

test('login checks a key from stdin and stores it in a file that only its owner can read; logout removes it', async () => {
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

test('login sends the key to the server of the profile that it writes, not to the server in NAMEPLATE_BASE_URL', async () => {
  await using production = await appServer();
  await using staging = await appServer();
  await using elsewhere = await appServer();
  const XDG_CONFIG_HOME = userConfig({
    production: { base_url: production.url, api_key: KEYS.user },
    staging: { base_url: staging.url, api_key: KEYS.other },
  });
  const env = { XDG_CONFIG_HOME, NAMEPLATE_PROFILE: 'staging', NAMEPLATE_BASE_URL: elsewhere.url };
  const argv = ['login', '--with-key', '-', '--json'];
  const login = await runCli([...argv, '--profile', 'production'], { env, stdin: LIVE_KEY });
  expect(JSON.parse(login.stdout)).toMatchObject({ profile: 'production', base_url: production.url });
  expect(staging.requests).toEqual([]);
  const again = await runCli(argv, { env, stdin: TEST_KEY });
  expect(JSON.parse(again.stdout)).toMatchObject({ profile: 'staging', base_url: staging.url });
  expect(production.requests).toHaveLength(1);
  expect(elsewhere.requests).toEqual([]);
});

test('login creates the profile that NAMEPLATE_PROFILE names', async () => {
  await using api = await appServer();
  const env = { XDG_CONFIG_HOME: emptyFolder(), NAMEPLATE_PROFILE: 'new', NAMEPLATE_BASE_URL: api.url };
  const { stdout } = await runCli(['login', '--with-key', '-', '--json'], { env, stdin: TEST_KEY });
  expect(JSON.parse(stdout)).toMatchObject({ profile: 'new', base_url: api.url });
});

test("login sends no key to the server that a project's config names", async () => {
  await using own = await appServer();
  await using foreign = await appServer();
  const XDG_CONFIG_HOME = userConfig({ default: { base_url: own.url, api_key: KEYS.user } });
  const cwd = projectConfig(['profile = "gone"', `base_url = "${foreign.url}"`]);
  const login = await runCli(['login', '--with-key', '-'], {
    env: { XDG_CONFIG_HOME },
    cwd,
    stdin: TEST_KEY,
  });
  expect(login.exit).toBe(0);
  expect(own.requests).toHaveLength(1);
  expect(foreign.requests).toEqual([]);
});

test('login does not store a key that the server refuses', async () => {
  await using api = await startFakeApi({});
  const env = { XDG_CONFIG_HOME: emptyFolder() };
  const login = await runCli(['login', '--with-key', '-', '--base-url', api.url], { env, stdin: TEST_KEY });
  expect(login.exit).toBe(5);
  expect(JSON.parse((await runCli(['profiles', 'list', '--json'], { env })).stdout).data).toEqual([]);
});

test('login without --with-key exits with 2 if there is no terminal', async () => {
  expect((await runCli(['login'])).exit).toBe(2);
});

test("concurrent logins do not lose each other's profile", async () => {
  await using api = await appServer();
  const home = emptyHome();
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const logins = names.map((name) =>
    runBin(
      ['login', '--with-key', '-', '--base-url', api.url, '--profile', name],
      home,
      undefined,
      `${TEST_KEY}\n`,
    ),
  );
  expect((await Promise.all(logins)).map(({ exit }) => exit)).toEqual(names.map(() => 0));
  const { stdout } = await runBin(['profiles', 'list', '--json'], home);
  expect(
    JSON.parse(stdout)
      .data.map(({ name }: { name: string }) => name)
      .toSorted(),
  ).toEqual(names);
  const files = readdirSync(path.join(home.XDG_CONFIG_HOME ?? '', 'nameplate'));
  expect(files.filter((name) => name.startsWith('config'))).toEqual(['config.toml']);
});

test('login ignores a lock that a crashed process left behind', async () => {
  await using api = await appServer();
  const XDG_CONFIG_HOME = emptyFolder();
  const folder = path.join(XDG_CONFIG_HOME, 'nameplate');
  const lock = path.join(folder, 'config.toml.lock');
  mkdirSync(lock, { recursive: true });
  const holder = path.join(lock, 'crashed');
  writeFileSync(holder, '');
  const longAgo = new Date(Date.now() - 60_000);
  for (const each of [holder, lock]) utimesSync(each, longAgo, longAgo);
  const { exit } = await runCli(['login', '--with-key', '-', '--base-url', api.url], {
    env: { XDG_CONFIG_HOME },
    stdin: TEST_KEY,
  });
  expect({ exit, files: readdirSync(folder) }).toEqual({ exit: 0, files: ['config.toml'] });
});
